/*
** fill.c - fills buffers: constants, functions, ramps, random numbers.
**
** Random numbers are counter-based: value i is a hash of the seed and i, so a
** seed gives the same numbers whatever the type, the machine or the order.
*/
#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/cancel.h"
#include "base/kernel_types/scalar.h"
#include "lua/bind/core/core.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/buffer/methods.h"
#include "lua/bind/memory/value.h"

#define BLOCK 4096 /* scalars made at a time */

/* -------------------------------------------------------------- constants */

/* Copy the first element over all others, doubling the copied part. */
static bool repeat_first(char *data, size_t size, size_t count) {
  size_t done = 1;
  while (done < count) {
    size_t n = done < count - done ? done : count - done;
    if (!mt_copy(data + done * size, data, n * size)) return false;
    done += n;
  }
  return true;
}

/* Set each element to the function at 'arg' of its index, or row and column. */
static void fill_by_function(lua_State *L, const mt_LuaBuffer *b, int arg) {
  for (size_t i = 0; i < b->count; i++) {
    size_t rest = i;
    lua_Integer place[3];
    for (unsigned d = b->dims; d-- > 0; rest /= b->shape[d])
      place[d] = (lua_Integer)(rest % b->shape[d]);
    lua_pushvalue(L, arg);
    for (unsigned d = 0; d < b->dims; d++) lua_pushinteger(L, place[d]);
    lua_call(L, (int)b->dims, 1);
    if (mt_lua_buffer_freed(b))
      luaL_error(L, "the buffer was freed while it was being filled");
    mt_Error err;
    void *at = mt_lua_buffer_part(L, b, i, 1, MT_READ_WRITE);
    if (!mt_value_store(L, -1, b->type, at, &err))
      luaL_error(L, "the function's value for index %I: %s", (LUAI_UACINT)i,
                 err.text);
    lua_pop(L, 1);
  }
}

/* Copy another buffer of the same type and length. */
static void fill_from(lua_State *L, const mt_LuaBuffer *b,
                      const mt_LuaBuffer *from) {
  if (from->type != b->type || from->count != b->count) {
    mt_Str *text = mt_lua_new_str(L);
    mt_str_add(text, "cannot fill ");
    mt_lua_buffer_describe(b, text);
    mt_str_add(text, " from ");
    mt_lua_buffer_describe(from, text);
    luaL_error(L, "%s: type and length must be the same", mt_str_text(text));
  }
  const void *source = mt_lua_buffer_data(L, from, MT_READ);
  void *to = mt_lua_buffer_data(L, b, MT_WRITE);
  if (!mt_copy(to, source, b->count * b->type->size))
    luaL_error(L, "interrupted");
}

/* b:fill(value, function or buffer) -> b */
int mt_buffer_fill(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  luaL_checkany(L, 2);
  if (mt_lua_test_buffer(L, 2)) {
    fill_from(L, b, mt_lua_check_buffer(L, 2));
  } else if (lua_isfunction(L, 2)) {
    fill_by_function(L, b, 2);
  } else {
    mt_Error err;
    _Alignas(16) char value[MT_LUA_ELEMENT_MAX] = {0};
    if (!mt_value_store(L, 2, b->type, value, &err))
      return mt_lua_raise(L, &err);
    char *data = mt_lua_buffer_data(L, b, MT_WRITE);
    memcpy(data, value, b->type->size);
    if (!repeat_first(data, b->type->size, b->count))
      return luaL_error(L, "interrupted");
  }
  lua_settop(L, 1);
  return 1;
}

/* --------------------------------------------------------------- formulas */

/* A function of the index i that gives a scalar. */
typedef struct Formula {
  double (*value)(const struct Formula *f, uint64_t i);
  double a, b;   /* start and step, low and high, mean and deviation */
  double step;   /* between random numbers; 0: none */
  uint64_t seed;
} Formula;

static void apply(lua_State *L, const mt_LuaBuffer *b, const Formula *f) {
  double block[BLOCK];
  mt_Scalar s = b->type->scalar;
  size_t n = mt_lua_buffer_scalars(b), size = mt_scalar_size(s);
  char *data = mt_lua_buffer_data(L, b, MT_WRITE);
  double low = mt_scalar_lowest(s), high = mt_scalar_highest(s);
  for (size_t first = 0; first < n; first += BLOCK) {
    size_t m = n - first < BLOCK ? n - first : BLOCK;
    for (size_t i = 0; i < m; i++) {
      double v = f->value(f, first + i);
      if (!mt_scalar_is_float(s)) v = floor(v);
      block[i] = v < low ? low : v > high ? high : v;
    }
    mt_scalars_pack(s, block, m, data + first * size);
    if (mt_cancelled()) luaL_error(L, "interrupted");
  }
}

static double ramp(const Formula *f, uint64_t i) {
  return f->a + f->b * (double)i;
}

/* b:iota([start [, step]]) -> b, holding start, start + step, … */
int mt_buffer_iota(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  Formula f = {.value = ramp, .a = luaL_optnumber(L, 2, 0),
               .b = luaL_optnumber(L, 3, 1)};
  double last = f.a + f.b * (double)(b->count - 1);
  double least = last < f.a ? last : f.a, most = last < f.a ? f.a : last;
  if (b->type->kind != MT_TYPE_SCALAR)
    return luaL_error(L, "iota counts numbers, and this buffer holds %s: use "
                         "b:as(\"%s\"):iota()",
                      b->type->name, mt_scalar_name(b->type->scalar));
  if (least < mt_scalar_lowest(b->type->scalar) ||
      most > mt_scalar_highest(b->type->scalar)) {
    char shown[32];
    snprintf(shown, sizeof shown, "%.14g", last);
    return luaL_error(L, "the last value, %s, does not fit in %s", shown,
                      b->type->name);
  }
  apply(L, b, &f);
  lua_settop(L, 1);
  return 1;
}

/* ----------------------------------------------------------------- chance */

/* A bijective mixing of 64 bits (the finaliser known as splitmix64). */
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* In [0, 1), 24 bits so that a float holds it without rounding up to 1. */
static double unit(uint64_t seed, uint64_t i) {
  return (double)(mix(mix(seed) ^ i) >> 40) * 0x1p-24;
}

static double uniform(const Formula *f, uint64_t i) {
  double v = (f->b - f->a) * unit(f->seed, i);
  return f->a + (f->step > 0 ? floor(v / f->step) * f->step : v);
}

static double gauss(const Formula *f, uint64_t i) {
  double u = 1 - unit(f->seed, 2 * i), v = unit(f->seed, 2 * i + 1);
  return f->a + f->b * sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* Without a seed each call takes the next of a fixed sequence of seeds: buffers
** differ from one another, and a script gives the same numbers in every run. */
static uint64_t seed_at(lua_State *L, int arg) {
  static uint64_t next = 1;
  if (lua_isnoneornil(L, arg)) return next++ << 32;
  return (uint64_t)luaL_checkinteger(L, arg);
}

static int fill_random(lua_State *L, double (*value)(const Formula *, uint64_t),
                       double a, double b) {
  mt_LuaBuffer *buffer = mt_lua_check_buffer(L, 1);
  Formula f = {.value = value, .a = luaL_optnumber(L, 3, a),
               .b = luaL_optnumber(L, 4, b), .seed = seed_at(L, 2),
               .step = luaL_optnumber(L, 5, 0)};
  luaL_argcheck(L, f.step >= 0, 5, "a step is not negative");
  apply(L, buffer, &f);
  lua_settop(L, 1);
  return 1;
}

/* b:random([seed [, low, high [, step]]]) -> b; floats in [0, 1), integers 0 to
** 99; with a step: low, low + step, … below high */
int mt_buffer_random(lua_State *L) {
  mt_LuaBuffer *b = mt_lua_check_buffer(L, 1);
  mt_Scalar s = b->type->scalar;
  return fill_random(L, uniform, 0,
                     mt_scalar_is_float(s) ? 1 : s == MT_BOOL ? 2 : 100);
}

/* b:normal([seed [, mean, deviation]]) -> b */
int mt_buffer_normal(lua_State *L) { return fill_random(L, gauss, 0, 1); }
