/*
** animation.c - require "mettle.animation": frames to a GIF or APNG file.
**
**   animation.new(path, width, height, fps) -> a; the kind by the path's ending
**   a:add(frame)
**   a:finish() -> bytes of the file, which is written whole, or not at all
*/
#include <lauxlib.h>

#include "base/files/user_file.h"
#include "lua/bind/screen/frame.h"
#include "pictures/animation.h"
#include "lua/bind/core/core.h"

#define ANIMATION "mettle.animation"

typedef struct LuaAnimation {
  mt_Animation *animation; /* NULL: finished */
  unsigned width, height;
} LuaAnimation; /* its path is user value 1 */

static LuaAnimation *check(lua_State *L) {
  LuaAnimation *box = luaL_checkudata(L, 1, ANIMATION);
  if (box->animation == NULL) luaL_error(L, "the animation is finished");
  return box;
}

static int animation_gc(lua_State *L) {
  LuaAnimation *box = luaL_checkudata(L, 1, ANIMATION);
  mt_animation_free(box->animation);
  box->animation = NULL;
  return 0;
}

static int animation_new(lua_State *L) {
  const char *path = mt_lua_check_text(L, 1);
  lua_Integer width = luaL_checkinteger(L, 2), height = luaL_checkinteger(L, 3);
  double fps = luaL_checknumber(L, 4);
  mt_AnimationKind kind;
  mt_Error err;
  if (!mt_animation_kind(path, &kind))
    return luaL_error(
        L, "save = \"%s\": an animation is a file .gif, .png or .apng", path);
  LuaAnimation *box = lua_newuserdatauv(L, sizeof *box, 1);
  *box = (LuaAnimation){NULL, (unsigned)width, (unsigned)height};
  luaL_setmetatable(L, ANIMATION);
  lua_pushvalue(L, 1);
  lua_setiuservalue(L, -2, 1);
  if (mt_animation_new(kind, box->width, box->height, fps, &box->animation,
                       &err) != MT_OK)
    return mt_lua_raise(L, &err);
  return 1;
}

static int animation_add(lua_State *L) {
  LuaAnimation *box = check(L);
  mt_LuaFrame *f = mt_lua_check_frame(L, 2);
  mt_Error err;
  if (f->width != box->width || f->height != box->height)
    return luaL_error(
        L, "a picture of %d × %d does not fit an animation of %d × %d",
        (int)f->width, (int)f->height, (int)box->width, (int)box->height);
  if (mt_animation_add(box->animation, f->rgba, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  return 0;
}

static int animation_finish(lua_State *L) {
  LuaAnimation *box = check(L);
  mt_Error err;
  mt_Str *bytes = mt_lua_new_str(L);
  lua_getiuservalue(L, 1, 1);
  if (mt_animation_finish(box->animation, bytes, &err) != MT_OK ||
      mt_user_file_save(lua_tostring(L, -1), mt_str_text(bytes), bytes->length,
                        0644,                    false, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  mt_animation_free(box->animation);
  box->animation = NULL;
  lua_pushinteger(L, (lua_Integer)bytes->length);
  return 1;
}

static int animation_index(lua_State *L) {
  lua_pushvalue(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  return 1;
}

static int open_animation(lua_State *L) {
  static const luaL_Reg functions[] = {{"new", animation_new}, {NULL, NULL}};
  static const luaL_Reg meta[] = {{"__gc", animation_gc}, {NULL, NULL}};
  static const luaL_Reg methods[] = {
      {"add", animation_add}, {"finish", animation_finish}, {NULL, NULL}};
  mt_lua_new_type(L, ANIMATION, "animation", meta, methods, animation_index);
  luaL_newlib(L, functions);
  return 1;
}

void mt_lua_open_animation(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_animation);
  lua_setfield(L, -2, "mettle.animation");
  lua_pop(L, 2);
}
