/*
** state.c - opens Mettle in a Lua state.
**
** Globals that are written in Lua are registered as small C functions that load
** their module at the first call, so that starting costs nothing.
*/
#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>
#include <string.h>

#include "base/file.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/tools/check.h"
#include "lua/bind/gpu/cpu.h"
#include "lua/bind/screen/frame.h"
#include "lua/bind/gpu/gpu.h"
#include "lua/bind/core/guard.h"
#include "lua/bind/core/json.h"
#include "lua/bind/gpu/kernel.h"
#include "lua/mettle.h"
#include "lua/bind/core/pattern.h"
#include "lua/bind/screen/picture.h"
#include "lua/bind/core/shell.h"
#include "lua/bind/core/system.h"
#include "lua/bind/memory/texture.h"

const char *mt_lua_check_text(lua_State *L, int at) {
  size_t length;
  const char *text = luaL_checklstring(L, at, &length);
  if (strlen(text) != length)
    luaL_error(L, "a NUL byte follows '%s': no name and no path has one", text);
  return text;
}

const char *mt_lua_opt_text(lua_State *L, int at, const char *otherwise) {
  return lua_isnoneornil(L, at) ? otherwise : mt_lua_check_text(L, at);
}

int mt_lua_raise(lua_State *L, const mt_Error *err) {
  return luaL_error(L, "%s", err->text);
}

void *mt_lua_new_owned(lua_State *L, size_t size, int values, const char *name,
                       lua_CFunction gc) {
  void *memory = lua_newuserdatauv(L, size, values);
  memset(memory, 0, size);
  if (luaL_newmetatable(L, name)) {
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  return memory;
}

static int str_gc(lua_State *L) {
  mt_str_free(lua_touserdata(L, 1));
  return 0;
}

mt_Str *mt_lua_new_str(lua_State *L) {
  return mt_lua_new_owned(L, sizeof(mt_Str), 0, "mettle.str", str_gc);
}

void mt_lua_push_text(lua_State *L, const mt_Str *s) {
  if (s->failed) luaL_error(L, "not enough memory for the text");
  lua_pushlstring(L, mt_str_text(s), s->length);
}

void *mt_lua_one(lua_State *L, const char *name, size_t size,
                 lua_CFunction gc) {
  if (lua_getfield(L, LUA_REGISTRYINDEX, name) != LUA_TUSERDATA) {
    lua_pop(L, 1);
    memset(lua_newuserdatauv(L, size, 0), 0, size);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, gc);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_setfield(L, LUA_REGISTRYINDEX, name);
  }
  void *kept = lua_touserdata(L, -1);
  lua_pop(L, 1); /* the registry has it */
  return kept;
}

void mt_lua_new_meta(lua_State *L, const char *registered, const char *name,
                     const luaL_Reg *functions) {
  luaL_newmetatable(L, registered);
  luaL_setfuncs(L, functions, 0);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_createtable(L, 0, 1);
  lua_pushstring(L, name);
  lua_setfield(L, -2, "__name");
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}

void mt_lua_new_type(lua_State *L, const char *registered, const char *name,
                     const luaL_Reg *meta, const luaL_Reg *methods,
                     lua_CFunction index) {
  mt_lua_new_meta(L, registered, name, meta);
  luaL_getmetatable(L, registered);
  lua_newtable(L);
  luaL_setfuncs(L, methods, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "__methods");
  lua_pushcclosure(L, index, 1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}

/* Mettle's modules come first: require "lua.reference.help" is
** DATA/lua/reference/help.lua. */
static void extend_path(lua_State *L) {
  const char *data = mt_dir_data();
  if (data == NULL) return;
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "path");
  lua_pushfstring(L, "%s/?.lua;%s", data, lua_tostring(L, -1));
  lua_setfield(L, -3, "path");
  lua_pop(L, 2);
}

int mt_lua_call_module(lua_State *L, const char *module, const char *function) {
  int given = lua_gettop(L);
  lua_getglobal(L, "require");
  lua_pushstring(L, module);
  lua_call(L, 1, 1);
  lua_getfield(L, -1, function);
  lua_remove(L, -2);
  lua_insert(L, 1);
  lua_call(L, given, LUA_MULTRET);
  return lua_gettop(L);
}

/* help(...) and other globals written in Lua; upvalues: module, function. */
static int call_module(lua_State *L) {
  return mt_lua_call_module(L, lua_tostring(L, lua_upvalueindex(1)),
                            lua_tostring(L, lua_upvalueindex(2)));
}

static const struct {
  const char *name, *module, *function;
} globals[] = {
    {"help", "lua.reference.help", "help"},
    {"show", "lua.session.show", "show"},
    {"plot", "lua.plot.plot", "plot"},
    {"image", "lua.session.image", "image"},
    {"play", "lua.play.play", "play"},
    {"compare", "lua.measure.compare", "compare"},
    {"sweep", "lua.measure.sweep", "sweep"},
    {"bench", "lua.measure.bench", "bench"},
    {"cards", "lua.measure.cards", "cards"},
    {"glossary", "lua.reference.glossary", "glossary"},
    {"cuda", "lua.reference.rosetta", "cuda"},
    {"numpy", "lua.reference.rosetta", "numpy"},
    {"torch", "lua.reference.rosetta", "torch"},
    {"gpu.peaks", "lua.measure.peaks", "peaks"},
    {"gpu.commands", "lua.workload.commands", "commands"},
    {"gpu.barrier", "lua.workload.commands", "barrier"},
    {"lessons", "lua.lesson.lesson", "lessons"},
    {"lesson", "lua.lesson.lesson", "lesson"},
    {"puzzle", "lua.lesson.lesson", "puzzle"},
    {"capstone", "lua.lesson.lesson", "capstone"},
    {"challenge", "lua.lesson.lesson", "challenge"},
    {"answer", "lua.lesson.lesson", "answer"},
    {"task", "lua.lesson.lesson", "task"},
    {"back", "lua.lesson.lesson", "back"},
    {"run", "lua.lesson.lesson", "run"},
    {"hint", "lua.lesson.lesson", "hint"},
    {"solution", "lua.lesson.lesson", "solution"},
    {"reset", "lua.lesson.lesson", "reset"},
    {"edit", "lua.lesson.lesson", "edit"},
    {"watch", "lua.lesson.lesson", "watch"},
    {"check", "lua.check.check", "check"},
    {"profile", "lua.profile.profile", "profile"},
    {"draw", "lua.draw.draw", "draw"},
    {"record", "lua.record.record", "record"},
    {"step", "lua.step.step", "step"},
};

/* "gpu.peaks" goes into the table gpu. */
static void open_globals(lua_State *L) {
  for (size_t i = 0; i < sizeof globals / sizeof globals[0]; i++) {
    bool of_gpu = strncmp(globals[i].name, "gpu.", 4) == 0;
    if (of_gpu) lua_getglobal(L, "gpu");
    else lua_pushglobaltable(L);
    lua_pushstring(L, globals[i].module);
    lua_pushstring(L, globals[i].function);
    lua_pushcclosure(L, call_module, 2);
    lua_setfield(L, -2, globals[i].name + (of_gpu ? 4 : 0));
    lua_pop(L, 1);
  }
}

/* next() continues a lesson; with arguments it is Lua's own, which is called
** directly so that its error messages stay the same. */
static int next_or_lesson(lua_State *L) {
  if (lua_gettop(L) > 0) return lua_tocfunction(L, lua_upvalueindex(3))(L);
  return call_module(L);
}

static void open_next(lua_State *L) {
  lua_pushliteral(L, "lua.lesson.lesson");
  lua_pushliteral(L, "next");
  lua_getglobal(L, "next");
  lua_pushcclosure(L, next_or_lesson, 3);
  lua_setglobal(L, "next");
}

void mt_lua_open(lua_State *L) {
  luaL_openlibs(L);
  mt_lua_open_guard(L);
  extend_path(L);
  mt_lua_open_shell(L);
  mt_lua_open_system(L);
  mt_lua_open_json(L);
  mt_lua_open_pattern(L);
  mt_lua_open_frame(L);
  mt_lua_open_window(L);
  mt_lua_open_types(L);
  mt_lua_open_screen(L);
  mt_lua_open_animation(L);
  mt_lua_open_gpu(L); /* first, so that the devices are collected last */
  mt_lua_open_buffer(L);
  mt_lua_open_texture(L);
  mt_lua_open_picture(L);
  mt_lua_open_kernel(L);
  mt_lua_open_cpu(L);
  mt_lua_open_check(L);
  mt_lua_open_profile(L);
  mt_lua_open_record(L);
  mt_lua_open_commands(L);
  open_globals(L);
  open_next(L);
}

void mt_lua_for_person(lua_State *L) {
  lua_pushboolean(L, true);
  lua_setfield(L, LUA_REGISTRYINDEX, MT_LUA_PERSON);
}
