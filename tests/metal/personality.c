/*
** personality.c - which GPU and macOS the stand-in plays, by
** lua/reference/families.lua.
*/
#include "tests/metal/personality.h"

#include <lauxlib.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/folders.h"
#include "tests/metal/runtime.h"

/* The module's own small Lua; one thread at a time. */
static lua_State *tables;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Personality gpu;
static char families[128];

static void give_up(const char *what) {
  standin_problem("lua/reference/families.lua: %s", what);
  _Exit(3);
}

static int newest(const char *kind) {
  const char *at = strstr(families, kind);
  return at ? atoi(at + strlen(kind)) : 0;
}

static void read_gpu(const char *name) {
  lua_getfield(tables, 1, "gpus");
  if (lua_getfield(tables, -1, name) != LUA_TTABLE)
    give_up("no such GPU as STANDIN_GPU names");
  lua_getfield(tables, -1, "title");
  lua_getfield(tables, -2, "families");
  lua_getfield(tables, -3, "unified");
  lua_getfield(tables, -4, "arguments");
  snprintf(gpu.title, sizeof gpu.title, "%s, played",
           luaL_checkstring(tables, -4));
  snprintf(families, sizeof families, "%s", luaL_checkstring(tables, -3));
  gpu.unified = lua_toboolean(tables, -2);
  gpu.arguments = (int)luaL_checkinteger(tables, -1);
  gpu.apple = newest("Apple ");
  gpu.mac = newest("Mac ");
  gpu.metal = newest("Metal ");
  lua_settop(tables, 1);
}

static void open_tables(void) {
  char path[4096];
  const char *name = getenv("STANDIN_GPU");
  if (tables) return;
  tables = luaL_newstate();
  luaL_openlibs(tables);
  snprintf(path, sizeof path, "%s/lua/reference/families.lua", mt_dir_data());
  if (luaL_dofile(tables, path) != LUA_OK) give_up(lua_tostring(tables, -1));
  read_gpu(name ? name : "m1");
}

const Personality *standin_gpu(void) {
  pthread_mutex_lock(&lock);
  open_tables();
  pthread_mutex_unlock(&lock);
  return &gpu;
}

int standin_macos(void) {
  const char *version = getenv("STANDIN_MACOS");
  return version ? atoi(version) : 26;
}

bool standin_too_old(const char *source, char *why, size_t size) {
  pthread_mutex_lock(&lock);
  open_tables();
  lua_getfield(tables, 1, "too_new");
  lua_pushstring(tables, source);
  lua_pushinteger(tables, standin_macos());
  if (lua_pcall(tables, 2, 1, 0) != LUA_OK) give_up(lua_tostring(tables, -1));
  const char *text = lua_tostring(tables, -1);
  if (text) snprintf(why, size, "%s", text);
  lua_settop(tables, 1);
  pthread_mutex_unlock(&lock);
  return text != NULL;
}

bool standin_lacks(const char *source, const char *kernel, char *why,
                   size_t size) {
  pthread_mutex_lock(&lock);
  open_tables();
  lua_getfield(tables, 1, "reason");
  lua_pushstring(tables, source);
  lua_pushstring(tables, families);
  lua_pushstring(tables, kernel);
  if (lua_pcall(tables, 3, 1, 0) != LUA_OK) give_up(lua_tostring(tables, -1));
  const char *text = lua_tostring(tables, -1);
  if (text) snprintf(why, size, "%s", text);
  lua_settop(tables, 1);
  pthread_mutex_unlock(&lock);
  return text != NULL;
}
