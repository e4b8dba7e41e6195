/*
** shadow_cell.h - shadow cells as the fast path reads and updates them, shared
** by fast_path.c (lane by lane) and fast_path_rows.c (strided lanes, eight
** cells at once).
*/
#ifndef MT_HOST_CHECK_SHADOW_CELL_H
#define MT_HOST_CHECK_SHADOW_CELL_H

#include "devices/host/check/check.h"

/* Facts of an access that hold for all lanes. */
typedef struct mt_FastPath {
  mt_Check *c;
  mt_Region *r;
  uint64_t low, high;  /* cells in [low, high) are ordered by a barrier */
  uint64_t mine;       /* the new cell of lane 0 */
  size_t cells;        /* cells of one lane's access */
  uint32_t size;       /* bytes of one lane's access */
  bool shared;         /* threadgroup memory: cells below 'low' are stale */
  bool blank;          /* unwritten memory must not be read */
} mt_FastPath;

#define MT_THREAD_BITS (1023ull << MT_CELL_THREAD)

/* Happens before: ordered by a barrier, or this thread's own alone. */
static inline bool mt_is_past(const mt_FastPath *q, uint64_t cell,
                              uint64_t mine) {
  if (cell - q->low < q->high - q->low) return true;
  return cell >= q->high && ((cell ^ mine) & (MT_THREAD_BITS | 1)) == 0;
}

/* Where several threads read a cell, it holds the last reader, and this cache
** the reader before it, of another thread: a race needs that one if the writer
** is itself the last reader. Direct-mapped by line: a group's lines are
** contiguous, and lines of earlier groups are not needed. */
static inline mt_Readers *mt_readers_of(mt_Check *c, const mt_Region *r,
                                        size_t line) {
  return &c->readers[(line + ((uintptr_t)r->reads >> 12)) & (MT_READERS - 1)];
}

/* Thread 'mine' replaces the reader 'before' in cell 'i'. */
static inline void mt_reader_left(mt_Check *c, const mt_Region *r, size_t i,
                                  uint64_t before, uint64_t mine) {
  const uint64_t *line = r->reads + (i >> MT_LINE << MT_LINE);
  mt_Readers *e = mt_readers_of(c, r, i >> MT_LINE);
  if (!((before ^ mine) & MT_THREAD_BITS)) return;
  if (e->line != line) *e = (mt_Readers){.line = line};
  e->cell[i & ((1 << MT_LINE) - 1)] = before;
}

/* fast_path_rows.c: the active lanes of a strided access that is in bounds.
** Gives the lanes that are done; 0 if the stride is not a power of two of at
** most eight cells. */
uint32_t mt_fast_path_row(const mt_FastPath *q, const mt_Touch *t, bool write);

/* Are all active lanes within 'room' bytes of 'base', and aligned? */
bool mt_addresses_in_bounds(char *const *at, uint32_t mask, const char *base,
                            size_t room, uint32_t align);
/* The active lanes whose accesses of 'size' bytes overlap the 'bytes' bytes at
** 'start'. */
uint32_t mt_addresses_overlap(char *const *at, uint32_t mask, const char *start,
                              size_t bytes, size_t size);
/* The lanes, from 2 on, whose distance from the lane before equals that lane's
** distance from its predecessor. */
uint32_t mt_addresses_strided(char *const *at);

#endif
