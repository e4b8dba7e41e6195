/*
** stats.h - summary statistics of a buffer.
*/
#ifndef MT_LUA_STATS_H
#define MT_LUA_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include "lua/bind/memory/buffer.h"

typedef struct mt_Stats {
  double min, max; /* without NaNs; infinity and -infinity if all are NaN */
  double sum;      /* without NaNs */
  uint64_t exact;  /* integer types: the sum modulo 2^64 */
  size_t nan;      /* number of NaNs */
  size_t count;    /* number of elements, NaNs included */
} mt_Stats;

/* Over one component of the elements (0 for scalars), which start at 'data'.
** False if out of memory or Ctrl-C was pressed. Console thread only. */
bool mt_buffer_stats(const mt_LuaBuffer *b, const void *data,
                     unsigned component, mt_Stats *out);

#endif
