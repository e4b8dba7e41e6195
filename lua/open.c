/*
** open.c - opens Mettle in a Lua state: the roof of lua/, which knows all
** rooms.
**
** Globals that are written in Lua are registered as small C functions that load
** their module at the first call, so that starting costs nothing.
*/
#include <lauxlib.h>
#include <lualib.h>
#include <stdbool.h>
#include <string.h>

#include "base/files/folders.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/guard.h"
#include "lua/bind/core/json.h"
#include "lua/bind/core/late.h"
#include "lua/bind/core/pattern.h"
#include "lua/bind/core/shell.h"
#include "lua/bind/core/system.h"
#include "lua/bind/core/types.h"
#include "lua/bind/gpu/cpu.h"
#include "lua/bind/gpu/gpu.h"
#include "lua/bind/gpu/kernel.h"
#include "lua/bind/memory/buffer.h"
#include "lua/bind/memory/texture.h"
#include "lua/bind/screen/frame.h"
#include "lua/bind/screen/picture.h"
#include "lua/bind/tools/check.h"
#include "lua/mettle.h"

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

/* What the rooms below ask for by name (bind/core/late.h). */
static const mt_LateRow late[] = {
    {"save_picture", "lua.session.image", "save"},
    {"load_picture", "lua.session.image", "load"},
    {"kernels", "lua.workload.kernels", "list"},
    {"missing_features", "lua.reference.families", "lacks"},
    {"too_new", "lua.reference.families", "too_new"},
    {"why_refused", "lua.reference.families", "reason"},
    {"get_target", "lua.reference.apple_target", "get"},
    {"set_target", "lua.reference.apple_target", "set"},
    {"taken", "lua.reference.apple_target", "taken"},
    {"taken_here", "lua.reference.apple_target", "taken_here"},
    {"check_words", "lua.profile.report_words", "check"},
    {"profile_words", "lua.profile.report_words", "profile"},
    {"check_lesson", "lua.lesson.lesson", "check_or_help"},
    {NULL, NULL, NULL},
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
  mt_lua_open_late(L, late);
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
