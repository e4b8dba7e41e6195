/*
** stats.h - the few numbers that sum up a buffer.
*/
#ifndef MT_LUA_STATS_H
#define MT_LUA_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "lua/buffer.h"

typedef struct mt_Stats {
  double min, max; /* of what is not NaN; infinities the wrong way if none is */
  double sum;      /* of what is not NaN */
  uint64_t exact;  /* integer types: the sum modulo 2^64 */
  size_t nan;      /* how many are not numbers */
  size_t count;    /* of all */
} mt_Stats;

/* Over one component of the elements (0 for scalars), which begin at 'data'.
** False if there was no memory or Ctrl-C was pressed. Console thread only. */
bool mt_buffer_stats(const mt_LuaBuffer *b, const void *data,
                     unsigned component, mt_Stats *out);

#endif
