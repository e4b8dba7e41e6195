/*
** window.c - require "mettle.window": a window that shows frames.
**
**   window.lacks() -> why there can be none, or nil
**   window.open(title, width, height) -> w
**   w:show(frame, top, bottom), w:title(text), w:close()
**   w:poll() -> {kind = …, key = …, x = …, y = …, buttons = …, turned = …}, or
**               nil
**   w:read() -> bytes, width, height; w:pretend(event): for tests
**
** A key is its character, or "left", "right", "up", "down", "escape".
*/
#include <lauxlib.h>
#include <stdlib.h>
#include <string.h>

#include "lua/bind/core/fields.h"
#include "lua/bind/screen/frame.h"
#include "window/window.h"
#include "lua/bind/core/core.h"

#define WINDOW "mettle.window"

typedef struct LuaWindow {
  mt_Window *window; /* NULL: closed */
} LuaWindow;

static const char *const kinds[] = {"key",   "key_up", "mouse",
                                    "wheel", "close",  NULL};
static const char *const keys[] = {"left",   "right", "up", "down",
                                   "escape", "other", NULL};

static mt_Window *check_window(lua_State *L, int arg) {
  LuaWindow *box = luaL_checkudata(L, arg, WINDOW);
  if (box->window == NULL) luaL_error(L, "the window was closed");
  return box->window;
}

static int window_close(lua_State *L) {
  LuaWindow *box = luaL_checkudata(L, 1, WINDOW);
  mt_window_free(box->window);
  box->window = NULL;
  return 0;
}

static int window_lacks(lua_State *L) {
  lua_pushstring(L, mt_window_lacks());
  return 1;
}

static int window_open(lua_State *L) {
  const char *title = mt_lua_check_text(L, 1);
  lua_Integer width = luaL_checkinteger(L, 2), height = luaL_checkinteger(L, 3);
  LuaWindow *box = lua_newuserdatauv(L, sizeof *box, 0);
  box->window = NULL;
  luaL_setmetatable(L, WINDOW);
  mt_Error err;
  if (mt_window_new(title, (unsigned)width, (unsigned)height, &box->window,
                    &err) != MT_OK)
    return mt_lua_raise(L, &err);
  return 1;
}

static int window_show(lua_State *L) {
  mt_Window *w = check_window(L, 1);
  mt_LuaFrame *f = mt_lua_check_frame(L, 2);
  mt_Error err;
  if (mt_window_show(w, f->rgba, f->width, f->height, luaL_optstring(L, 3, ""),
                     luaL_optstring(L, 4, ""), &err) != MT_OK)
    return mt_lua_raise(L, &err);
  return 0;
}

static int window_title(lua_State *L) {
  mt_window_title(check_window(L, 1), mt_lua_check_text(L, 2));
  return 0;
}

static void push_key(lua_State *L, uint32_t key) {
  if (key >= MT_WINDOW_LEFT) lua_pushstring(L, keys[key - MT_WINDOW_LEFT]);
  else lua_pushfstring(L, "%U", (long)key);
}

static int window_poll(lua_State *L) {
  mt_WindowEvent e;
  if (!mt_window_poll(check_window(L, 1), &e)) return 0;
  lua_createtable(L, 0, 6);
  mt_lua_set_string(L, "kind", kinds[e.kind]);
  if (e.kind == MT_WINDOW_KEY || e.kind == MT_WINDOW_KEY_UP) {
    push_key(L, e.key);
    lua_setfield(L, -2, "key");
    return 1;
  }
  mt_lua_set_number(L, "x", e.x);
  mt_lua_set_number(L, "y", e.y);
  mt_lua_set_number(L, "turned", e.turned);
  mt_lua_set_integer(L, "buttons", e.buttons);
  return 1;
}

static int window_read(lua_State *L) {
  uint8_t *rgba;
  unsigned width, height;
  mt_Error err;
  mt_Str *bytes = mt_lua_new_str(L);
  if (mt_window_read(check_window(L, 1), &rgba, &width, &height, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  mt_str_add_bytes(bytes, (const char *)rgba, (size_t)width * height * 4);
  free(rgba);
  mt_lua_push_text(L, bytes);
  lua_pushinteger(L, width);
  lua_pushinteger(L, height);
  return 3;
}

static uint32_t key_field(lua_State *L) {
  uint32_t key = 0;
  if (lua_getfield(L, 2, "key") == LUA_TSTRING) {
    const char *name = lua_tostring(L, -1);
    key = (unsigned char)name[0];
    for (uint32_t i = 0; keys[i]; i++)
      if (strcmp(keys[i], name) == 0) key = MT_WINDOW_LEFT + i;
  }
  lua_pop(L, 1);
  return key;
}

static int window_pretend(lua_State *L) {
  mt_Window *w = check_window(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_getfield(L, 2, "kind");
  mt_WindowEvent e = {
      .kind = (mt_WindowEventKind)luaL_checkoption(L, -1, NULL, kinds),
      .key = key_field(L)};
  e.x = (float)mt_lua_number_field(L, 2, "x");
  e.y = (float)mt_lua_number_field(L, 2, "y");
  e.buttons = (unsigned)mt_lua_integer_field(L, 2, "buttons");
  e.turned = (float)mt_lua_number_field(L, 2, "turned");
  mt_window_pretend(w, &e);
  return 0;
}

static int window_index(lua_State *L) {
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  return 1;
}

static int open_module(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"lacks", window_lacks}, {"open", window_open}, {NULL, NULL}};
  static const luaL_Reg meta[] = {
      {"__gc", window_close}, {"__close", window_close}, {NULL, NULL}};
  static const luaL_Reg methods[] = {
      {"show", window_show}, {"title", window_title},
      {"poll", window_poll}, {"close", window_close},
      {"read", window_read}, {"pretend", window_pretend},
      {NULL, NULL}};
  mt_lua_new_type(L, WINDOW, "window", meta, methods, window_index);
  luaL_newlib(L, functions);
  return 1;
}

void mt_lua_open_window(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_module);
  lua_setfield(L, -2, "mettle.window");
  lua_pop(L, 2);
}
