/*
** late.h - what a lower room asks of a higher one, bound late.
**
** A binding in C, or a low module in Lua, cannot name a room above its own. It
** asks by the name of a row; lua/open.c has the table, which says what module
** answers. That is loaded at the first question. In Lua the rows are fields of
** require "mettle.late".
*/
#ifndef MT_LUA_LATE_H
#define MT_LUA_LATE_H

#include <lua.h>

typedef struct mt_LateRow {
  const char *name;          /* what is asked for; NULL ends the table */
  const char *module, *field; /* what answers: a field of a module */
} mt_LateRow;

/* The table of the state; 'rows' lives as long as that. */
void mt_lua_open_late(lua_State *L, const mt_LateRow *rows);

/* Push what row 'name' stands for. Raises what its module raises. */
void mt_lua_push_late(lua_State *L, const char *name);

/* Call the function that row 'name' stands for with everything on the stack;
** returns how many values it gave, which are on the stack then. */
int mt_lua_call_late(lua_State *L, const char *name);

/* Push a field of a module that is written in Lua; call such a function with
** everything on the stack. For the tables of rows. */
void mt_lua_push_field_of(lua_State *L, const char *module, const char *field);
int mt_lua_call_module(lua_State *L, const char *module, const char *function);

#endif
