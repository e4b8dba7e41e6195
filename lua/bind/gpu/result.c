/*
** result.c - the result of a launch, as fields and as text.
**
** The text says what ran (threads, threadgroups, lanes without a thread),
** where, and how long. A time is called a GPU time only if a GPU's clock
** measured it.
*/
#include <lauxlib.h>
#include <stdio.h>
#include <string.h>

#include "lua/bind/core/core.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/gpu/kernel.h"

/* The threadgroups of the grid along one dimension. */
typedef struct Side {
  uint64_t threads, groups, full; /* full: number of full groups */
  uint64_t group, last;           /* threads of a full, of the partial group */
} Side;

static Side side_of(uint64_t threads, uint64_t group) {
  Side s = {threads, 0, 0, group, 0};
  s.full = s.threads / group;
  s.last = s.threads % group;
  s.groups = s.full + (s.last != 0);
  return s;
}

/* Lanes without a thread: SIMD-groups are filled up to the device's width. */
static uint64_t idle_lanes(const Side side[3], unsigned width) {
  uint64_t idle = 0;
  for (unsigned cut = 0; cut < 8; cut++) { /* bit i: partial along side i */
    uint64_t groups = 1, threads = 1;
    for (unsigned i = 0; i < 3; i++) {
      bool last = cut >> i & 1;
      groups *= last ? side[i].last != 0 : side[i].full;
      threads *= last ? side[i].last : side[i].group;
    }
    if (groups) idle += groups * ((width - threads % width) % width);
  }
  return idle;
}

static void set_sides(lua_State *L, const char *name, uint64_t x, uint64_t y,
                      uint64_t z) {
  uint64_t v[3] = {x, y, z};
  lua_createtable(L, 3, 0);
  for (int i = 0; i < 3; i++) {
    lua_pushinteger(L, (lua_Integer)v[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, name);
}

/* nil for 0: not measured */
static void set_seconds(lua_State *L, const char *name, uint64_t ns,
                        unsigned repeats) {
  if (ns) lua_pushnumber(L, (double)ns * 1e-9 / repeats);
  else lua_pushnil(L);
  lua_setfield(L, -2, name);
}

void mt_lua_set_times(lua_State *L, const mt_DeviceInfo *d, unsigned repeats,
                      const mt_Timing *t) {
  set_seconds(L, "time", t->device_ns ? t->device_ns : t->wall_ns, repeats);
  set_seconds(L, "wall", t->wall_ns, repeats);
  mt_lua_set_boolean(L, "quick", t->quick);
  mt_lua_set_boolean(L, "first", t->first);
  if (t->fallback) mt_lua_set_string(L, "fallback", t->fallback);
  mt_lua_set_boolean(L, "gpu_time", d->is_gpu && t->device_ns != 0);
}

void mt_lua_push_result(lua_State *L, const mt_Launch *l, const mt_Timing *t) {
  const mt_KernelInfo *k = mt_kernel_info(l->kernel);
  const mt_DeviceInfo *d = mt_device_info(mt_kernel_device(l->kernel));
  mt_Extent e = mt_launch_extent(l);
  Side s[3];
  for (int i = 0; i < 3; i++) s[i] = side_of(e.threads[i], e.group[i]);
  lua_createtable(L, 0, 16);
  mt_lua_set_string(L, "kernel", k->name);
  mt_lua_set_string(L, "device", d->name);
  mt_lua_set_string(L, "title", d->title);
  mt_lua_set_boolean(L, "is_gpu", d->is_gpu);
  mt_lua_set_integer(L, "threads", s[0].threads * s[1].threads * s[2].threads);
  set_sides(L, "grid", s[0].threads, s[1].threads, s[2].threads);
  set_sides(L, "groups", s[0].groups, s[1].groups, s[2].groups);
  set_sides(L, "group", l->group.x, l->group.y, l->group.z);
  mt_lua_set_integer(L, "threadgroups",
                     s[0].groups * s[1].groups * s[2].groups);
  mt_lua_set_integer(L, "idle",
                     idle_lanes(s, k->simd_width ? k->simd_width : 32));
  mt_lua_set_integer(L, "repeats", l->repeats);
  if (t) mt_lua_set_times(L, d, l->repeats, t);
  luaL_setmetatable(L, MT_LUA_RESULT);
}

/* ------------------------------------------------------------------ words */

/* 1234567 as 1,234,567 */
static void add_grouped(mt_Str *out, lua_Integer v) {
  char digits[32];
  int n = snprintf(digits, sizeof digits, "%lld", (long long)v);
  for (int i = 0; i < n; i++) {
    mt_str_add_char(out, digits[i]);
    if (i + 1 < n && (n - 1 - i) % 3 == 0) mt_str_add_char(out, ',');
  }
}

/* "64 × 32", without the sides that are 1 */
static void add_sides(lua_State *L, mt_Str *out, const char *name) {
  lua_Integer v[3];
  int sides = 1;
  lua_getfield(L, 1, name);
  for (int i = 0; i < 3; i++) {
    v[i] = 0;
    if (!lua_istable(L, -1)) continue; /* scripts may change the fields */
    lua_rawgeti(L, -1, i + 1);
    v[i] = lua_tointeger(L, -1);
    lua_pop(L, 1);
    if (v[i] > 1) sides = i + 1;
  }
  lua_pop(L, 1);
  for (int i = 0; i < sides; i++) {
    if (i) mt_str_add(out, " × ");
    add_grouped(out, v[i]);
  }
}

static void add_time(mt_Str *out, double seconds) {
  if (seconds < 1e-3) mt_str_addf(out, "%.3g µs", seconds * 1e6);
  else if (seconds < 1) mt_str_addf(out, "%.3g ms", seconds * 1e3);
  else mt_str_addf(out, "%.3g s", seconds);
}

static void add_string_field(lua_State *L, mt_Str *out, const char *name) {
  lua_getfield(L, 1, name);
  const char *text = lua_tostring(L, -1);
  mt_str_add(out, text ? text : "?");
  lua_pop(L, 1);
}

/* Why a launch has no time; NULL: it has. */
static const char *without_time(lua_State *L) {
  bool waits = lua_getfield(L, 1, "pending") != LUA_TNIL;
  bool has = lua_getfield(L, 1, "time") != LUA_TNIL;
  lua_pop(L, 2);
  return waits ? "runs when the function of gpu.commands returns"
         : has ? NULL
               : "timed with its command buffer, as a whole";
}

static void add_times(lua_State *L, mt_Str *out) {
  const char *why = without_time(L);
  if (why) {
    mt_str_add(out, why);
    return;
  }
  lua_getfield(L, 1, "gpu_time");
  bool gpu = lua_toboolean(L, -1);
  lua_pop(L, 1);
  add_time(out, mt_lua_number_field(L, 1, "time"));
  mt_str_add(out, gpu ? " GPU time on " : " on ");
  add_string_field(L, out, "device");
  mt_str_add(out, " (");
  add_string_field(L, out, "title");
  mt_str_add(out, ")");
  bool launched = lua_getfield(L, 1, "wall") != LUA_TNIL;
  lua_pop(L, 1);
  if (gpu && launched) {
    mt_str_add(out, ", ");
    add_time(out, mt_lua_number_field(L, 1, "wall"));
    mt_str_add(out, " with the launch");
  }
  if (mt_lua_integer_field(L, 1, "repeats") > 1)
    mt_str_addf(out, ", mean of %lld runs",
                (long long)mt_lua_integer_field(L, 1, "repeats"));
  lua_getfield(L, 1, "first");
  if (lua_toboolean(L, -1) && mt_lua_integer_field(L, 1, "repeats") <= 1)
    mt_str_add(out, ", first launch, not warm yet");
  lua_getfield(L, 1, "quick");
  if (lua_toboolean(L, -1))
    mt_str_add(out, ", with quick code");
  lua_pop(L, 2);
}

static void add_fallback(lua_State *L, mt_Str *out) {
  lua_getfield(L, 1, "fallback");
  const char *reason = lua_tostring(L, -1);
  if (reason) mt_str_addf(out, "\n  runs thread by thread: %s", reason);
  lua_pop(L, 1);
}

/* Few lanes idle at a ragged end are as they should be; an eighth of them is
** time lost. A launch of one SIMD-group or less is a small example. */
static bool is_worth_saying(lua_Integer idle, lua_Integer threads) {
  return threads > 32 && idle >= (threads + idle) / 8;
}

static int result_tostring(lua_State *L) {
  mt_Str *text = mt_lua_new_str(L);
  lua_Integer threads = mt_lua_integer_field(L, 1, "threads"),
              groups = mt_lua_integer_field(L, 1, "threadgroups");
  lua_Integer idle = mt_lua_integer_field(L, 1, "idle");
  add_string_field(L, text, "kernel");
  mt_str_add(text, ": ");
  add_sides(L, text, "grid");
  mt_str_add(text, threads == 1 ? " thread in " : " threads in ");
  add_grouped(text, groups);
  mt_str_add(text, groups == 1 ? " threadgroup of " : " threadgroups of ");
  add_sides(L, text, "group");
  if (is_worth_saying(idle, threads)) {
    mt_str_add(text, ", ");
    add_grouped(text, idle);
    mt_str_add(text, idle == 1 ? " lane idle" : " lanes idle");
  }
  mt_str_add(text, "\n  ");
  add_times(L, text);
  add_fallback(L, text);
  mt_lua_push_text(L, text);
  return 1;
}

void mt_lua_open_result(lua_State *L) {
  static const luaL_Reg meta[] = {{"__tostring", result_tostring},
                                  {NULL, NULL}};
  mt_lua_new_meta(L, MT_LUA_RESULT, "result", meta);
}
