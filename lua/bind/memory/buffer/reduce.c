/*
** reduce.c - sums and extremes, over all cores.
**
** A buffer is split into chunks of fixed size; each gives a partial result, and
** the partial results are combined in order. So the result does not depend on
** the number of cores. Sums of floats are computed in double, sums of integers
** are exact.
*/
#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "base/kernel_types/scalar.h"
#include "base/pool.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/buffer/methods.h"
#include "lua/bind/memory/stats.h"
#include "lua/bind/memory/value.h"

#define CHUNK 65536 /* elements */
#define BLOCK 1024  /* doubles at a time */

/* ------------------------------------------------------------- statistics */

typedef struct Job {
  const mt_LuaBuffer *buffer;
  const char *data;   /* its first element */
  unsigned component; /* of the element: 0 .. rows-1 */
  mt_Stats *partial;  /* one for each chunk */
} Job;

/* 'n' components from element 'first' on, as doubles. */
static void gather(const Job *job, size_t first, size_t n, double *out) {
  const mt_Type *t = job->buffer->type;
  const char *data = job->data + first * t->size;
  if (t->kind == MT_TYPE_SCALAR) {
    mt_scalars_unpack(t->scalar, data, n, out);
    return;
  }
  data += job->component * mt_scalar_size(t->scalar);
  for (size_t i = 0; i < n; i++)
    mt_scalars_unpack(t->scalar, data + i * t->size, 1, &out[i]);
}

static uint64_t exact_sum(const Job *job, size_t first, size_t n) {
  const mt_Type *t = job->buffer->type;
  const char *data = job->data + first * t->size;
  if (t->kind == MT_TYPE_SCALAR) return mt_scalars_sum(t->scalar, data, n);
  uint64_t sum = 0;
  data += job->component * mt_scalar_size(t->scalar);
  for (size_t i = 0; i < n; i++)
    sum += mt_scalars_sum(t->scalar, data + i * t->size, 1);
  return sum;
}

static void count_in(mt_Stats *s, const double *values, size_t n) {
  for (size_t i = 0; i < n; i++) {
    double v = values[i];
    if (v != v) {
      s->nan++;
      continue;
    }
    if (v < s->min) s->min = v;
    if (v > s->max) s->max = v;
    s->sum += v;
  }
}

static void chunk(void *context, size_t index, unsigned worker) {
  Job *job = context;
  mt_Stats s = {.min = INFINITY, .max = -INFINITY};
  size_t first = index * CHUNK, count = job->buffer->count;
  size_t end = count - first < CHUNK ? count : first + CHUNK;
  double block[BLOCK];
  (void)worker;
  if (mt_cancelled()) return;
  for (size_t i = first; i < end; i += BLOCK) {
    size_t n = end - i < BLOCK ? end - i : BLOCK;
    gather(job, i, n, block);
    count_in(&s, block, n);
  }
  if (!mt_scalar_is_float(job->buffer->type->scalar))
    s.exact = exact_sum(job, first, end - first);
  job->partial[index] = s;
}

bool mt_buffer_stats(const mt_LuaBuffer *b, const void *data,
                     unsigned component, mt_Stats *out) {
  size_t chunks = (b->count + CHUNK - 1) / CHUNK;
  Job job = {b, data, component, malloc(chunks * sizeof(mt_Stats))};
  if (job.partial == NULL) return false;
  mt_pool_run(chunks, chunk, &job);
  *out = (mt_Stats){.min = INFINITY, .max = -INFINITY};
  for (size_t i = 0; i < chunks && !mt_cancelled(); i++) {
    const mt_Stats *p = &job.partial[i];
    if (p->min < out->min) out->min = p->min;
    if (p->max > out->max) out->max = p->max;
    out->sum += p->sum;
    out->exact += p->exact;
    out->nan += p->nan;
  }
  free(job.partial);
  out->count = b->count;
  return !mt_cancelled();
}

/* ------------------------------------------- sum, min, max, mean as methods */

typedef void (*PushStat)(lua_State *L, const mt_Stats *s, mt_Scalar t);

static void push_number(lua_State *L, double v, mt_Scalar t) {
  if (mt_scalar_is_float(t))
    lua_pushnumber(L, v);
  else
    lua_pushinteger(L, v >= 0x1p63 ? INT64_MAX : (lua_Integer)v);
}

static void push_sum(lua_State *L, const mt_Stats *s, mt_Scalar t) {
  if (!mt_scalar_is_float(t))
    lua_pushinteger(L, (lua_Integer)s->exact);
  else
    lua_pushnumber(L, s->nan ? (lua_Number)NAN : s->sum);
}

static void push_min(lua_State *L, const mt_Stats *s, mt_Scalar t) {
  if (s->nan) lua_pushnumber(L, (lua_Number)NAN);
  else push_number(L, s->min, t);
}

static void push_max(lua_State *L, const mt_Stats *s, mt_Scalar t) {
  if (s->nan) lua_pushnumber(L, (lua_Number)NAN);
  else push_number(L, s->max, t);
}

static void push_mean(lua_State *L, const mt_Stats *s, mt_Scalar t) {
  (void)t;
  lua_pushnumber(L, s->nan ? (lua_Number)NAN : s->sum / (double)s->count);
}

/* A number; for a buffer of vectors a table with a number per component. */
static int reduce(lua_State *L, PushStat push) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  unsigned n = b->type->rows;
  if (n > 1) lua_createtable(L, (int)n, 0);
  for (unsigned c = 0; c < n; c++) {
    mt_Stats s;
    if (!mt_buffer_stats(b, mt_lua_buffer_data(L, b, MT_READ), c, &s))
      return luaL_error(L,
                        mt_cancelled() ? "interrupted" : "not enough memory");
    push(L, &s, b->type->scalar);
    if (n > 1) lua_rawseti(L, -2, (lua_Integer)c + 1);
  }
  return 1;
}

int mt_buffer_sum(lua_State *L) { return reduce(L, push_sum); }
int mt_buffer_min(lua_State *L) { return reduce(L, push_min); }
int mt_buffer_max(lua_State *L) { return reduce(L, push_max); }
int mt_buffer_mean(lua_State *L) { return reduce(L, push_mean); }
