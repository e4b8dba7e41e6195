/*
** pin.h - nothing is pulled away from under a function that works with it.
**
** While the arguments of a launch are read, Lua code can run: an __index of a
** struct's table, a finaliser of the collector at any allocation. It may free
** a buffer that was read before, or drop the last thing that held it. So what
** is read is pinned: it lives, and its memory stays where it is, until the C
** function that pinned it ends, by its return or by an error.
**
** What is freed while it is pinned is gone for Lua at once, and given back by
** the last who unpins it.
*/
#ifndef MT_LUA_PIN_H
#define MT_LUA_PIN_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Something that Lua owns and can free: the start of a userdata. */
typedef struct mt_Pin {
  void *thing;                /* NULL once it was freed: Lua cannot use it */
  void *late;                 /* freed while pinned; goes with the last pin */
  unsigned pins;              /* who works with it now */
  void (*give_back)(void *);  /* frees the thing */
  struct mt_Pin *next, **back; /* all of the state that are not given back */
} mt_Pin;

/* 'p', in a userdata whose __gc calls mt_pin_free, owns nothing so far. */
void mt_pin_init(mt_Pin *p, void (*give_back)(void *));

/* It owns the thing from now on. */
void mt_pin_own(lua_State *L, mt_Pin *p, void *thing);

/* Free the thing: now, or once nobody works with it. Twice is fine. */
void mt_pin_free(mt_Pin *p);

/*
** Called by mt_lua_open before anything is pinned, and after what must be freed
** last. Lua runs no finaliser for what is made while it closes a state: all that
** is owned then is given back.
*/
void mt_pin_open(lua_State *L);

/* What a C function has pinned; lives on its part of the stack. */
typedef struct mt_Pins {
  int keep;       /* stack index of a table of what must stay alive */
  unsigned count, room;
  mt_Pin **list;  /* in a userdata that the table keeps */
} mt_Pins;

/* Push what pins for the running C function, which must not pop it: two values. */
mt_Pins *mt_pins_push(lua_State *L);

/* Pin 'p', which begins the userdata on top of the stack; leaves that there. Look
** at the thing after this, not before: it may be freed on the way. */
void mt_pins_add(lua_State *L, mt_Pins *pins, mt_Pin *p);

/* The value on top lives as long as the pins; pops it. */
void mt_pins_keep(lua_State *L, const mt_Pins *pins);

/* Zeroed memory that lives as long as the pins. */
void *mt_pins_room(lua_State *L, const mt_Pins *pins, size_t size);

#endif
