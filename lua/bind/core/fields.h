/*
** fields.h - setting and reading fields of tables.
*/
#ifndef MT_LUA_FIELDS_H
#define MT_LUA_FIELDS_H

#include <lua.h>
#include <stdbool.h>
#include <stdint.h>

/* Of the table on top of the stack. A NULL string sets nothing. */
void mt_lua_set_string(lua_State *L, const char *name, const char *v);
void mt_lua_set_integer(lua_State *L, const char *name, uint64_t v);
void mt_lua_set_number(lua_State *L, const char *name, double v);
void mt_lua_set_boolean(lua_State *L, const char *name, bool v);

/* Of the table at 'index'; 0 if the field is missing or not a number. */
lua_Integer mt_lua_integer_field(lua_State *L, int index, const char *name);
double mt_lua_number_field(lua_State *L, int index, const char *name);

#endif
