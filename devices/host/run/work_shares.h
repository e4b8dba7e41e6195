/*
** work_shares.h - the chunks of a launch, handed out so that a worker's next
** one follows its last one.
**
** Each worker has a share, chunks that follow each other, and takes them from
** its front; when it has none left, it takes from the end of the largest one
** that is left. So the work is divided evenly, whatever else the cores do, and
** what a worker keeps from chunk to chunk (kept_tiles.h) is what few others
** have to make too.
*/
#ifndef MT_HOST_RUN_WORK_SHARES_H
#define MT_HOST_RUN_WORK_SHARES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MT_WORK_SHARES_MOST 256

typedef struct mt_WorkShares {
  unsigned count; /* 0: none, chunks are handed out otherwise */
  /* the first chunk that is left, and one past the last << 32 */
  _Atomic uint64_t left[MT_WORK_SHARES_MOST];
} mt_WorkShares;

/* None if there are too many chunks or workers. */
void mt_work_shares_divide(mt_WorkShares *shares, unsigned workers,
                           uint64_t chunks);
/* Called as often as there are chunks, it returns each of them once. */
uint64_t mt_work_shares_take(mt_WorkShares *shares, unsigned worker);

#endif
