/*
** screen.c - require "mettle.screen": frames on the terminal's whole screen.
**
**   screen.enter() -> true, or false: no such terminal
**   screen.leave()
**   screen.read() -> bytes typed, perhaps ""; nil: the terminal was closed
**   screen.draw(frame, above, below) -> place
**   screen.size() -> columns, rows of the window
**
** For text: screen.page() enters without pictures, screen.write(bytes),
** screen.wait(seconds) is read() once something is typed or the time is over.
** screen.keys() takes keys alone; a page that is entered after it and left
** gives them back to who took them. screen.letter(codepoint) -> seven rows of
** five bits, the leftmost pixel in the highest (pictures/bitmap_font.h).
**
** 'above' and 'below' are lists of lines, cut to the window. Half blocks have
** 'above' over the picture; where the terminal takes pixels both stand below.
** place = {width, height, cell_width, cell_height}: the size at which the frame
** is drawn, from the first cell on, and what of that a cell has.
*/
#include <lauxlib.h>
#include <string.h>

#include "base/terminal/screen.h"
#include "lua/bind/core/core.h"
#include "lua/bind/core/fields.h"
#include "lua/bind/screen/frame.h"
#include "pictures/bitmap_font.h"

static int screen_enter(lua_State *L) {
  mt_Terminal t;
  mt_terminal_ask(&t); /* before keys are read here */
  lua_pushboolean(L, t.way != MT_SHOW_NONE && mt_screen_enter());
  return 1;
}

/* For text alone: the terminal is not asked what pictures it takes. */
static int screen_page(lua_State *L) {
  lua_pushboolean(L, mt_screen_enter());
  return 1;
}

/* Keys alone: what is printed goes on as before. */
static int screen_keys(lua_State *L) {
  lua_pushboolean(L, mt_screen_keys());
  return 1;
}

static int screen_letter(lua_State *L) {
  const uint8_t *rows = mt_bitmap_font_rows((uint32_t)luaL_checkinteger(L, 1));
  lua_createtable(L, MT_BITMAP_FONT_HEIGHT, 0);
  for (int i = 0; i < MT_BITMAP_FONT_HEIGHT; i++) {
    lua_pushinteger(L, rows[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

static int screen_write(lua_State *L) {
  size_t n;
  const char *bytes = luaL_checklstring(L, 1, &n);
  mt_screen_write(bytes, n);
  return 0;
}

/* Until something is typed, or 'seconds' have passed. */
static int screen_wait(lua_State *L) {
  char bytes[4096];
  mt_screen_wait(luaL_checknumber(L, 1));
  size_t n = mt_screen_read(bytes, sizeof bytes);
  if (n == 0 && mt_screen_lost()) return 0;
  lua_pushlstring(L, bytes, n);
  return 1;
}

static int screen_leave(lua_State *L) {
  (void)L;
  mt_screen_leave();
  return 0;
}

static int screen_read(lua_State *L) {
  char bytes[4096];
  size_t n = mt_screen_read(bytes, sizeof bytes);
  if (n == 0 && mt_screen_lost()) return 0;
  lua_pushlstring(L, bytes, n);
  return 1;
}

/* How it is shown here: placeholders inside tmux cannot be renewed quickly. */
static void ask(mt_Terminal *t) {
  mt_terminal_ask(t);
  if (t->way == MT_SHOW_KITTY && t->tmux) t->way = MT_SHOW_BLOCKS;
}

static int screen_size(lua_State *L) {
  mt_Terminal t;
  ask(&t);
  lua_pushinteger(L, t.columns);
  lua_pushinteger(L, t.rows);
  return 2;
}

static void add_lines(lua_State *L, int list, unsigned first, const char *style,
                      mt_Str *out) {
  size_t n = lua_rawlen(L, list);
  for (size_t i = 0; i < n; i++) {
    lua_rawgeti(L, list, (lua_Integer)i + 1);
    const char *line = lua_tostring(L, -1);
    mt_str_addf(out, "\033[%u;1H%s%s\033[0m\033[K", first + (unsigned)i, style,
                line ? line : "");
    lua_pop(L, 1);
  }
}

/* A window of another size has remains of the old picture, and fewer lines of
** text leave what stood beside the picture. */
static bool changed(const mt_Terminal *t, unsigned width, unsigned height,
                    unsigned lines) {
  static unsigned columns, rows, w, h, above;
  bool is = columns != t->columns || rows != t->rows || w != width ||
            h != height || above != lines;
  columns = t->columns, rows = t->rows, w = width, h = height, above = lines;
  return is;
}

static mt_Status add_picture(const mt_Picture *p, const mt_Terminal *t,
                             unsigned width, unsigned height, mt_Str *out,
                             mt_Error *err) {
  mt_Picture fitted = {0};
  if (p->width == width && p->height == height)
    return mt_picture_draw(p, t, out, err);
  mt_Status status = mt_picture_resize(p, width, height, &fitted, err);
  if (status == MT_OK) status = mt_picture_draw(&fitted, t, out, err);
  mt_picture_free(&fitted);
  return status;
}

static void push_place(lua_State *L, const mt_Terminal *t, unsigned width,
                       unsigned height) {
  bool pixels = t->way >= MT_SHOW_SIXEL;
  lua_createtable(L, 0, 4);
  mt_lua_set_integer(L, "width", width);
  mt_lua_set_integer(L, "height", height);
  mt_lua_set_integer(L, "cell_width", pixels ? t->cell_width : 1);
  mt_lua_set_integer(L, "cell_height", pixels ? t->cell_height : 2);
}

/* 2026: the terminal shows all of it at once. 5n: it says when it has. */
static int screen_draw(lua_State *L) {
  mt_LuaFrame *f = mt_lua_check_frame(L, 1);
  luaL_checktype(L, 2, LUA_TTABLE);
  luaL_checktype(L, 3, LUA_TTABLE);
  mt_Str *out = mt_lua_new_str(L);
  mt_Terminal t, room;
  mt_Error err;
  unsigned width, height, lines = (unsigned)lua_rawlen(L, 2);
  ask(&t);
  bool pixels = t.way >= MT_SHOW_SIXEL;
  room = t;
  if (pixels) room.rows = t.rows > lines + 4 ? t.rows - lines : 4;
  mt_Picture p = mt_lua_frame_picture(f);
  mt_picture_fit(&p, &room, &width, &height);
  mt_str_add(out, "\033[?2026h");
  if (changed(&t, width, height, lines)) mt_str_add(out, "\033[2J");
  if (t.way == MT_SHOW_KITTY) mt_str_add(out, "\033_Ga=d,d=A,q=2\033\\");
  mt_str_add(out, "\033[H");
  if (add_picture(&p, &room, width, height, out, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  unsigned under =
      pixels ? (height + t.cell_height - 1) / t.cell_height : (height + 1) / 2;
  add_lines(L, 2, pixels ? under + 1 : 1, pixels ? "\033[0m" : "\033[0;97;40m",
            out);
  add_lines(L, 3, under + 1 + (pixels ? lines : 0), "\033[0m", out);
  mt_str_add(out, "\033[?2026l\033[5n");
  if (out->failed)
    return luaL_error(L, "not enough memory to show the picture");
  mt_screen_write(mt_str_text(out), out->length);
  push_place(L, &t, width, height);
  return 1;
}

static int open_screen(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"enter", screen_enter}, {"leave", screen_leave}, {"read", screen_read},
      {"draw", screen_draw}, {"size", screen_size}, {"page", screen_page},
      {"write", screen_write}, {"wait", screen_wait}, {"keys", screen_keys},
      {"letter", screen_letter},
      {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}

void mt_lua_open_screen(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "preload");
  lua_pushcfunction(L, open_screen);
  lua_setfield(L, -2, "mettle.screen");
  lua_pop(L, 2);
}
