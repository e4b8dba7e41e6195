/*
** commands.c - the C part of gpu.commands: launches are noted, then run in one
** go.
**
** The one idea: while its function runs, k{…} reads and checks its arguments as
** always, but the launch is kept instead of run, with its pins
** (lua/bind/core/pin.h), so that nothing it uses can go. What it uses is
** reserved until it runs (mt_launch_reserve), so that no answer is read before
** it is there.
*/
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "lua/bind/core/core.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/gpu/kernel.h"

#define NOTED "mettle.noted"
#define MOST 65536 /* launches of one command buffer */

/* Its first user value is the list of steps: { kernel, launch, result, barrier,
** pins }. */
typedef struct Noted {
  mt_Dispatched *list;
  mt_Timing *times;
  size_t count, room;
  bool barrier;  /* before the next */
  bool reserved; /* what they use */
} Noted;

typedef struct Noting {
  Noted *open; /* the function of gpu.commands runs; the registry has it */
} Noting;

static int nothing(lua_State *L) {
  (void)L;
  return 0;
}

static Noting *noting_of(lua_State *L) {
  return mt_lua_one(L, "mettle.noting", sizeof(Noting), nothing);
}

bool mt_lua_noting(lua_State *L) { return noting_of(L)->open != NULL; }

/* -------------------------------------------------------------- a list */

static void release(Noted *n) {
  for (size_t i = 0; n->reserved && i < n->count; i++)
    mt_launch_release(&n->list[i].launch);
  n->reserved = false;
}

/* Drop the launches, with their pins; the steps stay to be looked at. */
static void drop(lua_State *L, int noted, Noted *n) {
  release(n);
  free(n->list);
  free(n->times);
  n->list = NULL;
  n->times = NULL;
  n->count = n->room = 0;
  lua_getiuservalue(L, noted, 1);
  if (!lua_istable(L, -1)) return;
  for (lua_Integer i = 1; lua_rawgeti(L, -1, i) == LUA_TTABLE; i++) {
    lua_getfield(L, -1, "pins");
    mt_pins_end(L, -1);
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_setfield(L, -2, "pins");
    lua_pop(L, 1);
  }
  lua_pop(L, 2);
}

static int noted_gc(lua_State *L) {
  Noted *n = luaL_checkudata(L, 1, NOTED);
  drop(L, 1, n);
  return 0;
}

static Noted *push_noted(lua_State *L) {
  Noted *n = lua_newuserdatauv(L, sizeof *n, 1);
  *n = (Noted){.reserved = true};
  lua_newtable(L);
  lua_setiuservalue(L, -2, 1);
  luaL_setmetatable(L, NOTED);
  return n;
}

/* ----------------------------------------------------------------- noting */

/* Push a copy of the value at 'at'; of a plain table with all that is in it, as
** it is now: a script may use the same table for the next launch. */
static void push_copy(lua_State *L, int at, int depth) {
  luaL_checkstack(L, 8, NULL);
  at = lua_absindex(L, at);
  bool plain = lua_istable(L, at) && depth < 8;
  if (plain && lua_getmetatable(L, at)) {
    lua_pop(L, 1);
    plain = false;
  }
  if (!plain) {
    lua_pushvalue(L, at);
    return;
  }
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    push_copy(L, -2, depth + 1);
    lua_rawset(L, -5);
  }
}

static void check_note(lua_State *L, const Noted *n, const mt_Launch *l) {
  const char *name = mt_kernel_info(l->kernel)->name;
  mt_Error err;
  if (mt_launch_check(l, &err) != MT_OK) mt_lua_raise(L, &err);
  if (l->time_limit > 0)
    luaL_error(L, "%s: inside gpu.commands a limit is for all launches: "
               "gpu.commands(f, {limit = seconds})", name);
  if (n->count == MOST)
    luaL_error(L, "%s: %d launches are the most for one command buffer", name,
               MOST);
  mt_Device *first = n->count ? mt_kernel_device(n->list[0].launch.kernel)
                              : mt_kernel_device(l->kernel);
  if (mt_kernel_device(l->kernel) != first)
    luaL_error(L, "%s runs on %s and the launches before it on %s: a command "
               "buffer belongs to one device", name,
               mt_device_info(mt_kernel_device(l->kernel))->name,
               mt_device_info(first)->name);
}

static bool make_room(Noted *n) {
  if (n->count < n->room) return true;
  size_t room = n->room ? 2 * n->room : 8;
  mt_Dispatched *list = realloc(n->list, room * sizeof *list);
  if (list) n->list = list;
  mt_Timing *times = list ? realloc(n->times, room * sizeof *times) : NULL;
  if (times) n->times = times;
  if (times) n->room = room;
  return times != NULL;
}

void mt_lua_note(lua_State *L, mt_Pins *pins, const mt_Launch *l) {
  Noted *n = noting_of(L)->open;
  luaL_checkstack(L, 16, NULL);
  check_note(L, n, l);
  lua_getfield(L, LUA_REGISTRYINDEX, NOTED ".open");
  lua_getiuservalue(L, -1, 1);
  lua_createtable(L, 0, 8); /* the step */
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "kernel");
  push_copy(L, 2, 0);
  lua_setfield(L, -2, "launch");
  mt_lua_push_result(L, l, NULL);
  mt_lua_set_boolean(L, "pending", true);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "result");
  lua_insert(L, -4); /* below the list's owner, the list and the step */
  mt_lua_set_boolean(L, "barrier", n->barrier);
  if (!make_room(n)) luaL_error(L, "not enough memory");
  mt_pins_hand_on(L, pins);
  lua_setfield(L, -2, "pins");
  lua_rawseti(L, -2, (lua_Integer)n->count + 1);
  lua_pop(L, 2);
  n->list[n->count++] = (mt_Dispatched){.launch = *l, .barrier = n->barrier};
  n->barrier = false;
  mt_launch_reserve(l);
}

/* barrier() -> is the function of gpu.commands running? */
static int commands_barrier(lua_State *L) {
  Noted *n = noting_of(L)->open;
  if (n) n->barrier = n->count > 0;
  lua_pushboolean(L, n != NULL);
  return 1;
}

/* collect(f) -> noted, the list of steps, f's own results… */
static int commands_collect(lua_State *L) {
  Noting *noting = noting_of(L);
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  if (noting->open) {
    lua_pushliteral(L, "gpu.commands inside gpu.commands: a launch belongs "
                    "to one command buffer, so put all of them into one "
                    "function");
    return lua_error(L); /* without the place in our own module */
  }
  Noted *n = push_noted(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, LUA_REGISTRYINDEX, NOTED ".open");
  lua_insert(L, 1);
  lua_getiuservalue(L, 1, 1);
  lua_insert(L, 2);
  noting->open = n;
  int status = lua_pcall(L, 0, LUA_MULTRET, 0);
  noting->open = NULL;
  lua_pushnil(L);
  lua_setfield(L, LUA_REGISTRYINDEX, NOTED ".open");
  release(n);
  if (status != LUA_OK) {
    drop(L, 1, n);
    return lua_error(L);
  }
  return lua_gettop(L);
}

/* ---------------------------------------------------------------- running */

/* The results of the launches, with their times. */
static void set_results(lua_State *L, const Noted *n) {
  lua_getiuservalue(L, 1, 1);
  for (size_t i = 0; i < n->count; i++) {
    const mt_Launch *l = &n->list[i].launch;
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    lua_getfield(L, -1, "result");
    mt_lua_set_times(L, mt_device_info(mt_kernel_device(l->kernel)), l->repeats,
                     &n->times[i]);
    lua_pushnil(L);
    lua_setfield(L, -2, "pending");
    if (n->times[i].device_ns)
      mt_lua_set_number(L, "start", (double)n->times[i].start_ns * 1e-9);
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
}

static void push_whole(lua_State *L, const mt_Device *dev,
                       const mt_Timing *t) {
  const mt_DeviceInfo *d = mt_device_info(dev);
  lua_createtable(L, 0, 12);
  mt_lua_set_string(L, "device", d->name);
  mt_lua_set_string(L, "title", d->title);
  mt_lua_set_boolean(L, "is_gpu", d->is_gpu);
  mt_lua_set_boolean(L, "joins_launches",
                     mt_device_entry(dev)->joins_launches);
  mt_lua_set_times(L, d, 1, t);
}

/* run(noted, concurrent, limit) -> { time, wall, device, … } */
static int commands_run(lua_State *L) {
  Noted *n = luaL_checkudata(L, 1, NOTED);
  mt_Commands c = {.list = n->list, .count = n->count,
                   .concurrent = lua_toboolean(L, 2),
                   .time_limit = luaL_optnumber(L, 3, 0)};
  mt_Timing whole;
  mt_Error err;
  if (n->count == 0) return luaL_error(L, "the launches have run already");
  mt_Device *dev = mt_kernel_device(n->list[0].launch.kernel);
  mt_Status status = mt_commands_run(&c, &whole, n->times, &err);
  mt_lua_show_messages(dev);
  if (status == MT_OK) set_results(L, n);
  drop(L, 1, n);
  if (status != MT_OK) return mt_lua_raise(L, &err);
  push_whole(L, dev, &whole);
  return 1;
}

/* measuring(boolean) -> did the last launch run quick code? (kernel.h) */
static int commands_measuring(lua_State *L) {
  if (mt_lua_noting(L))
    return luaL_error(L, "nothing can be measured inside gpu.commands: its "
                      "launches run when the function returns");
  lua_pushboolean(L, mt_lua_measure(lua_toboolean(L, 1)));
  return 1;
}

static int open_commands(lua_State *L) {
  static const luaL_Reg functions[] = {{"collect", commands_collect},
                                       {"barrier", commands_barrier},
                                       {"run", commands_run},
                                       {"measuring", commands_measuring},
                                       {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", noted_gc},
                                  {"__close", noted_gc},
                                  {NULL, NULL}};
  mt_lua_new_meta(L, NOTED, "noted", meta);
  luaL_newlib(L, functions);
  return 1;
}

void mt_lua_open_commands(lua_State *L) {
  noting_of(L);
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_commands);
  lua_setfield(L, -2, "mettle.commands");
  lua_pop(L, 2);
}
