/*
** pin.c - pins that end with the function that made them.
**
** The pins are a to-be-closed variable of Lua: Lua unpins when the function
** returns and when an error leaves it. The exception is an error in a coroutine
** that is never closed: then the collector unpins.
*/
#include "lua/bind/core/pin.h"

#include <lauxlib.h>
#include <string.h>

#include "lua/bind/core/core.h"


#define PINS "mettle.pins"
enum { FIRST_ROOM = 16 };

typedef struct Owned {
  mt_Pin *first;
} Owned;

/* ---------------------------------------------------------------- ownership */

static void give_back(mt_Pin *p) {
  void *thing = p->late;
  p->late = NULL;
  *p->back = p->next;
  if (p->next) p->next->back = p->back;
  p->give_back(thing);
}

void mt_pin_free(mt_Pin *p) {
  if (p->thing == NULL) return;
  p->late = p->thing;
  p->thing = NULL;
  if (p->pins == 0) give_back(p);
}

static void unpin(mt_Pin *p) {
  if (--p->pins == 0 && p->late) give_back(p);
}

static int owned_gc(lua_State *L) {
  Owned *all = lua_touserdata(L, 1);
  while (all->first) {
    all->first->pins = 0;
    mt_pin_free(all->first);
  }
  return 0;
}

static Owned *owned_by(lua_State *L) {
  return mt_lua_one(L, "mettle.owned", sizeof(Owned), owned_gc);
}

void mt_pin_open(lua_State *L) { owned_by(L); }

void mt_pin_init(mt_Pin *p, void (*free_thing)(void *)) {
  *p = (mt_Pin){.give_back = free_thing};
}

void mt_pin_own(lua_State *L, mt_Pin *p, void *thing) {
  Owned *all = owned_by(L);
  p->thing = thing;
  p->next = all->first;
  p->back = &all->first;
  if (p->next) p->next->back = &p->next;
  all->first = p;
}

/* --------------------------------------------------------------------- pins */

static void unpin_all(mt_Pins *pins) {
  while (pins->count) unpin(pins->list[--pins->count]);
}

static int pins_gc(lua_State *L) {
  unpin_all(luaL_checkudata(L, 1, PINS));
  return 0;
}

static int pins_close(lua_State *L) {
  mt_Pins *pins = luaL_checkudata(L, 1, PINS);
  if (!pins->handed_on) unpin_all(pins);
  return 0;
}

void mt_pins_hand_on(lua_State *L, mt_Pins *pins) {
  lua_pushvalue(L, pins->keep + 1);
  pins->handed_on = true;
}

void mt_pins_end(lua_State *L, int value) {
  mt_Pins *pins = luaL_testudata(L, value, PINS);
  if (pins) unpin_all(pins);
}

mt_Pins *mt_pins_push(lua_State *L) {
  luaL_checkstack(L, 8, NULL);
  lua_createtable(L, 8, 0);
  mt_Pins *pins = lua_newuserdatauv(L, sizeof *pins, 1);
  *pins = (mt_Pins){.keep = lua_gettop(L) - 1};
  lua_pushvalue(L, -2); /* pinned values must outlive the finaliser */
  lua_setiuservalue(L, -2, 1);
  if (luaL_newmetatable(L, PINS)) {
    lua_pushcfunction(L, pins_close);
    lua_setfield(L, -2, "__close");
    lua_pushcfunction(L, pins_gc);
    lua_setfield(L, -2, "__gc");
  }
  lua_setmetatable(L, -2);
  lua_toclose(L, -1);
  pins->list = mt_pins_room(L, pins, FIRST_ROOM * sizeof *pins->list);
  pins->room = FIRST_ROOM;
  return pins;
}

void mt_pins_keep(lua_State *L, const mt_Pins *pins) {
  lua_rawseti(L, pins->keep, (lua_Integer)lua_rawlen(L, pins->keep) + 1);
}

void *mt_pins_room(lua_State *L, const mt_Pins *pins, size_t size) {
  void *bytes = lua_newuserdatauv(L, size, 0);
  memset(bytes, 0, size);
  mt_pins_keep(L, pins);
  return bytes;
}

void mt_pins_add(lua_State *L, mt_Pins *pins, mt_Pin *p) {
  if (pins->count == pins->room) {
    mt_Pin **list = mt_pins_room(L, pins, 2 * pins->room * sizeof *list);
    memcpy(list, pins->list, pins->count * sizeof *list);
    pins->list = list;
    pins->room *= 2;
  }
  lua_pushvalue(L, -1);
  mt_pins_keep(L, pins);
  p->pins++;
  pins->list[pins->count++] = p;
}
