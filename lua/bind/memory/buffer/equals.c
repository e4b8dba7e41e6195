/*
** equals.c - compares two buffers and reports where they differ.
**
** The difference of two numbers is |got - expected| / max(|expected|, scale);
** the scale is 1 if none is given. So it is relative for large numbers and
** absolute for small ones. NaN equals NaN, an infinity only itself.
*/
#include <lauxlib.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/cancel.h"
#include "base/kernel_types/scalar.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/buffer/methods.h"
#include "lua/bind/memory/value.h"

#define REPORT "mettle.comparison" /* metatable of what equals returns */

typedef struct Difference {
  size_t wrong; /* elements whose difference exceeds the tolerance */
  size_t worst; /* index of the element with the largest difference */
  double apart; /* that difference; -1 while nothing differs */
  double total; /* sum of the finite differences */
  /* the two values at 'worst' */
  _Alignas(16) char got[MT_LUA_ELEMENT_MAX], expected[MT_LUA_ELEMENT_MAX];
} Difference;

/* The tolerated difference, and the scale of the formula above. */
typedef struct Measure {
  double tolerance, scale;
} Measure;

static double distance(double got, double expected, double scale) {
  double off = fabs(got - expected), size = fabs(expected);
  if (off != off || !isfinite(off)) return INFINITY;
  return off / (size > scale ? size : scale);
}

/* Compare the components of one element; false if any difference exceeds the
** tolerance. */
static bool compare_element(Difference *d, const mt_Type *ta, const char *a,
                            const mt_Type *tb, const char *b, size_t index,
                            const Measure *by) {
  size_t sa = mt_scalar_size(ta->scalar), sb = mt_scalar_size(tb->scalar);
  double furthest = -1;
  for (unsigned c = 0; c < ta->rows; c++, a += sa, b += sb) {
    double got, expected;
    if (ta->scalar == tb->scalar && memcmp(a, b, sa) == 0) continue;
    mt_scalars_unpack(ta->scalar, a, 1, &got);
    mt_scalars_unpack(tb->scalar, b, 1, &expected);
    /* distinct 64-bit integers may be equal as doubles: still a difference */
    bool rounded = sa == 8 && sb == 8 && got == expected;
    if (got != got && expected != expected) continue;
    if (got == expected && !rounded) continue;
    double apart = rounded ? 0x1p-53 : distance(got, expected, by->scale);
    if (isfinite(apart)) d->total += apart;
    if (apart > furthest) furthest = apart;
  }
  if (furthest > d->apart) {
    d->apart = furthest;
    d->worst = index;
  }
  return furthest <= by->tolerance;
}

static void compare(lua_State *L, const mt_LuaBuffer *a, const mt_LuaBuffer *b,
                    const Measure *by, Difference *d) {
  const char *pa = mt_lua_buffer_data(L, a, MT_READ);
  const char *pb = mt_lua_buffer_data(L, b, MT_READ);
  *d = (Difference){.apart = -1};
  for (size_t i = 0; i < a->count; i++) {
    if (!compare_element(d, a->type, pa + i * a->type->size, b->type,
                         pb + i * b->type->size, i, by))
      d->wrong++;
    if (i % 65536 == 0 && mt_cancelled()) luaL_error(L, "interrupted");
  }
  memcpy(d->got, pa + d->worst * a->type->size, a->type->size);
  memcpy(d->expected, pb + d->worst * b->type->size, b->type->size);
}

/* ----------------------------------------------------------------- report */

/* ": got 1, expected 2"; with all digits where six do not tell them apart. */
static void add_pair(mt_Str *out, const mt_LuaBuffer *a, const mt_LuaBuffer *b,
                     const Difference *d) {
  size_t start = out->length;
  for (int digits = 6; digits <= 9; digits += 3) {
    mt_str_cut(out, start);
    mt_str_add(out, ": got ");
    size_t got = out->length;
    mt_value_digits(a->type, d->got, digits, out);
    size_t n = out->length - got;
    mt_str_add(out, ", expected ");
    size_t expected = out->length;
    mt_value_digits(b->type, d->expected, digits, out);
    if (out->failed || n != out->length - expected ||
        memcmp(out->text + got, out->text + expected, n) != 0)
      return;
  }
}

static void write_report(mt_Str *out, const mt_LuaBuffer *a,
                         const mt_LuaBuffer *b, const Difference *d,
                         double tolerance) {
  if (d->apart < 0) {
    mt_str_addf(out, "all %zu elements are equal", a->count);
    return;
  }
  if (d->wrong)
    mt_str_addf(out, "%zu of %zu elements differ", d->wrong, a->count);
  else
    mt_str_addf(out, "all %zu elements agree within %g", a->count, tolerance);
  mt_str_addf(out, "; worst at [%zu]", d->worst);
  if (a->dims == 2)
    mt_str_addf(out, " (row %zu, column %zu)", d->worst / a->shape[1],
                d->worst % a->shape[1]);
  add_pair(out, a, b, d);
  mt_str_addf(out, "; mean error %.3g",
              d->total / (double)(a->count * a->type->rows));
}

/* Push the report: data by field, and as text. */
static void push_report(lua_State *L, const mt_LuaBuffer *a,
                        const mt_LuaBuffer *b, const Difference *d,
                        double tolerance) {
  lua_createtable(L, 0, 8);
  mt_lua_set_integer(L, "wrong", d->wrong);
  mt_lua_set_integer(L, "count", a->count);
  mt_lua_set_number(L, "tolerance", tolerance);
  mt_lua_set_number(L, "worst_error", d->apart < 0 ? 0 : d->apart);
  mt_lua_set_number(L, "mean_error",
                    d->total / (double)(a->count * a->type->rows));
  if (d->apart >= 0) {
    mt_lua_set_integer(L, "index", d->worst);
    mt_value_push(L, a->type, d->got);
    lua_setfield(L, -2, "got");
    mt_value_push(L, b->type, d->expected);
    lua_setfield(L, -2, "expected");
  }
  mt_Str *text = mt_lua_new_str(L);
  write_report(text, a, b, d, tolerance);
  mt_lua_push_text(L, text);
  lua_setfield(L, -3, "text");
  lua_pop(L, 1);
}

static int report_tostring(lua_State *L) {
  lua_getfield(L, 1, "text");
  return 1;
}

/* ----------------------------------------------------------------- equals */

/* The buffer at 'arg', or a new one of the values there in the type of
** 'like'. */
static mt_LuaBuffer *expected_at(lua_State *L, int arg,
                                 const mt_LuaBuffer *like) {
  if (lua_istable(L, arg)) {
    lua_pushcfunction(L, mt_gpu_buffer);
    lua_pushstring(L, like->type->name);
    lua_pushvalue(L, arg);
    lua_call(L, 2, 1);
    lua_replace(L, arg);
  }
  return mt_lua_check_buffer(L, arg);
}

/* b:equals(other [, tolerance [, scale]]) -> true or false, report */
int mt_buffer_equals(lua_State *L) {
  mt_LuaBuffer *a = mt_lua_check_buffer(L, 1);
  mt_LuaBuffer *b = expected_at(L, 2, a);
  Measure by = {luaL_optnumber(L, 3, 0), luaL_optnumber(L, 4, 1)};
  Difference d;
  luaL_argcheck(L, by.tolerance >= 0, 3, "a tolerance is not negative");
  luaL_argcheck(L, by.scale > 0, 4, "a scale is more than 0");
  if (a->count != b->count || a->type->rows != b->type->rows) {
    mt_Str *text = mt_lua_new_str(L);
    mt_str_add(text, "cannot compare ");
    mt_lua_buffer_describe(a, text);
    mt_str_add(text, " with ");
    mt_lua_buffer_describe(b, text);
    mt_str_add(text, ": they differ in size");
    return luaL_error(L, "%s", mt_str_text(text));
  }
  compare(L, a, b, &by, &d);
  lua_pushboolean(L, d.wrong == 0);
  push_report(L, a, b, &d, by.tolerance);
  if (luaL_getmetatable(L, REPORT) == LUA_TNIL) {
    static const luaL_Reg meta[] = {{"__tostring", report_tostring},
                                    {NULL, NULL}};
    mt_lua_new_meta(L, REPORT, "equality", meta);
  }
  lua_pop(L, 1);
  luaL_setmetatable(L, REPORT);
  return 2;
}
