/*
** frame.h - one picture of an animation as Lua sees it: pixels that are filled
** again and again (require "mettle.frame"; only for the modules in lua/).
*/
#ifndef MT_LUA_FRAME_H
#define MT_LUA_FRAME_H

#include <lua.h>
#include <stddef.h>
#include <stdint.h>

#include "pictures/picture.h"

typedef struct mt_LuaFrame {
  unsigned width, height;
  uint8_t *rgba;    /* opaque, rows without gaps */
  void *scratch;    /* a texture's own bytes, before they are pixels */
  size_t room;      /* of it */
} mt_LuaFrame;

mt_LuaFrame *mt_lua_check_frame(lua_State *L, int arg); /* raises if none */
mt_Picture mt_lua_frame_picture(const mt_LuaFrame *f);  /* its own pixels */

/* Make require "mettle.frame", "mettle.window", "mettle.screen" and
** "mettle.animation" work; by mt_lua_open. */
void mt_lua_open_frame(lua_State *L);
void mt_lua_open_animation(lua_State *L);
void mt_lua_open_screen(lua_State *L);
void mt_lua_open_window(lua_State *L);

#endif
