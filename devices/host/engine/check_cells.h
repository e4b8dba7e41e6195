/*
** check_cells.h - what an access that seems to be good does to the shadow, shared
** by check_quick.c (lane by lane) and check_rows.c (rows of lanes).
*/
#ifndef MT_HOST_CHECK_CELLS_H
#define MT_HOST_CHECK_CELLS_H

#include "devices/host/engine/checker.h"

/* What is the same for all lanes of an access. */
typedef struct Quick {
  mt_Check *c;
  mt_Region *r;
  uint64_t low, high;  /* cells from 'low' to below 'high' are ordered */
  uint64_t mine;       /* the cell of lane 0 */
  size_t cells;        /* of one access */
  uint32_t size;       /* bytes of it */
  bool shared;         /* threadgroup memory: cells below 'low' are stale */
  bool blank;          /* what was never written must not be read */
} Quick;

#define MT_THREAD_BITS (1023ull << MT_CELL_THREAD)

/* Before now by a barrier, or this thread's own and no other's. */
static inline bool is_past(const Quick *q, uint64_t cell, uint64_t mine) {
  if (cell - q->low < q->high - q->low) return true;
  return cell >= q->high && ((cell ^ mine) & (MT_THREAD_BITS | 1)) == 0;
}

/* check_rows.c: the active lanes of a row, inside of its memory, of neighbours
** whose places are side by side. Gives the lanes that are done; none of them if
** it is no such row. */
uint32_t mt_rows_touch(const Quick *q, const mt_Touch *t, bool write);

/* Are all active lanes of the list within 'room' bytes of 'base', and aligned? */
bool mt_list_is_good(char *const *at, uint32_t mask, const char *base,
                     size_t room, uint32_t align);
/* The active lanes of the list that touch some of 'bytes' bytes from 'start' on,
** with accesses of 'size' bytes. */
uint32_t mt_list_meets(char *const *at, uint32_t mask, const char *start,
                       size_t bytes, size_t size);
/* The lanes, from 2 on, that are as far from the lane before as that one is from
** its own. */
uint32_t mt_list_steady(char *const *at);

#endif
