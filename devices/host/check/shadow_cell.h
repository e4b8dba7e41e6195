/*
** shadow_cell.h - what an access that seems to be good does to the shadow,
** shared by fast_path.c (lane by lane) and fast_path_rows.c (rows of lanes).
*/
#ifndef MT_HOST_CHECK_SHADOW_CELL_H
#define MT_HOST_CHECK_SHADOW_CELL_H

#include "devices/host/check/check.h"

/* What is the same for all lanes of an access. */
typedef struct mt_FastPath {
  mt_Check *c;
  mt_Region *r;
  uint64_t low, high;  /* cells from 'low' to below 'high' are ordered */
  uint64_t mine;       /* the cell of lane 0 */
  size_t cells;        /* of one access */
  uint32_t size;       /* bytes of it */
  bool shared;         /* threadgroup memory: cells below 'low' are stale */
  bool blank;          /* what was never written must not be read */
} mt_FastPath;

#define MT_THREAD_BITS (1023ull << MT_CELL_THREAD)

/* Before now by a barrier, or this thread's own and no other's. */
static inline bool is_past(const mt_FastPath *q, uint64_t cell, uint64_t mine) {
  if (cell - q->low < q->high - q->low) return true;
  return cell >= q->high && ((cell ^ mine) & (MT_THREAD_BITS | 1)) == 0;
}

/* Reads of several threads: the cell has the last, and here is the one before
** it, of another thread, if the writer turns out to be the last reader. A line
** that needs the place of another takes it: a group's lines are neighbours, and
** nobody asks for those of groups that are over. */
typedef struct mt_Readers {
  const uint64_t *line;                  /* of which cells */
  uint64_t cell[(size_t)1 << MT_LINE];
} mt_Readers;
#define MT_READERS 4096 /* lines; a power of two */
extern mt_Readers mt_readers[MT_READERS]; /* race.c */

static inline mt_Readers *mt_readers_of(const mt_Region *r, size_t line) {
  return &mt_readers[(line + ((uintptr_t)r->reads >> 12)) & (MT_READERS - 1)];
}

/* Thread 'mine' takes the place of 'before' in cell 'i'. */
static inline void mt_reader_left(const mt_Region *r, size_t i, uint64_t before,
                                  uint64_t mine) {
  const uint64_t *line = r->reads + (i >> MT_LINE << MT_LINE);
  mt_Readers *e = mt_readers_of(r, i >> MT_LINE);
  if (!((before ^ mine) & MT_THREAD_BITS)) return;
  if (e->line != line) *e = (mt_Readers){.line = line};
  e->cell[i & ((1 << MT_LINE) - 1)] = before;
}

/* fast_path_rows.c: the active lanes of a row, inside of its memory, of
** neighbours whose places are side by side. Gives the lanes that are done;
** none of them if it is no such row. */
uint32_t mt_fast_path_row(const mt_FastPath *q, const mt_Touch *t, bool write);

/* Are all active lanes of the list within 'room' bytes of 'base', and
** aligned? */
bool mt_addresses_in_bounds(char *const *at, uint32_t mask, const char *base,
                            size_t room, uint32_t align);
/* The active lanes of the list that touch some of 'bytes' bytes from 'start'
** on, with accesses of 'size' bytes. */
uint32_t mt_addresses_overlap(char *const *at, uint32_t mask, const char *start,
                              size_t bytes, size_t size);
/* The lanes, from 2 on, that are as far from the lane before as that one is
** from its own. */
uint32_t mt_addresses_strided(char *const *at);

#endif
