/*
** pin.h - keeps objects alive while a C function uses them.
**
** While the arguments of a launch are read, Lua code can run: an __index of a
** struct's table, a finaliser of the collector at any allocation. It may free
** a buffer that was read before, or drop the last reference to it. So arguments
** are pinned: they live, and their memory does not move, until the C function
** that pinned them ends, by its return or by an error.
**
** An object freed while it is pinned is unusable from Lua at once; its memory
** is freed with the last pin.
*/
#ifndef MT_LUA_PIN_H
#define MT_LUA_PIN_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* An object that Lua owns and can free: the start of a userdata. */
typedef struct mt_Pin {
  void *thing;                /* NULL once it was freed: Lua cannot use it */
  void *late;                 /* freed while pinned; ends with the last pin */
  unsigned pins;              /* number of pins */
  void (*give_back)(void *);  /* frees the thing */
  struct mt_Pin *next, **back; /* list of the state's objects that are alive */
} mt_Pin;

/* 'p' is in a userdata whose __gc calls mt_pin_free; it owns nothing yet. */
void mt_pin_init(mt_Pin *p, void (*give_back)(void *));

/* It owns the thing from now on. */
void mt_pin_own(lua_State *L, mt_Pin *p, void *thing);

/* Free the thing: now, or with its last pin. Twice is fine. */
void mt_pin_free(mt_Pin *p);

/*
** Called by mt_lua_open before anything is pinned, and after the objects that
** must be freed last are made. Lua runs no finaliser for objects made while it
** closes a state: all that are still owned are freed here.
*/
void mt_pin_open(lua_State *L);

/* The pins of a C function; lives on its part of the stack. */
typedef struct mt_Pins {
  int keep;       /* stack index of a table of values that must stay alive */
  unsigned count, room;
  mt_Pin **list;  /* in a userdata that the table keeps */
  bool handed_on; /* they do not end with the function */
} mt_Pins;

/* Push the pins of the running C function, two values that it must not pop. */
mt_Pins *mt_pins_push(lua_State *L);

/* Pin 'p', the start of the userdata on top of the stack, which stays there.
** Read 'thing' after this call, not before: the call may free it. */
void mt_pins_add(lua_State *L, mt_Pins *pins, mt_Pin *p);

/*
** Let the pins outlive the running function: pushes a value that holds them,
** with all that they keep, until mt_pins_end of it, or until it is collected.
*/
void mt_pins_hand_on(lua_State *L, mt_Pins *pins);
void mt_pins_end(lua_State *L, int value);

/* Keep the value on top alive as long as the pins; pops it. */
void mt_pins_keep(lua_State *L, const mt_Pins *pins);

/* Zeroed memory that lives as long as the pins. */
void *mt_pins_room(lua_State *L, const mt_Pins *pins, size_t size);

#endif
