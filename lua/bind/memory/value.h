/*
** value.h - Lua values to the bytes of an MSL type, and back.
**
** A scalar is a number (bool: a boolean), a vector a table of its components,
** a matrix a table of columns, a struct a table by field, an array a list.
*/
#ifndef MT_LUA_VALUE_H
#define MT_LUA_VALUE_H

#include <lua.h>
#include <stdbool.h>

#include "base/kernel_types/reflect.h"
#include "base/status.h"
#include "base/str.h"

/* Push the value at 'bytes'. Never fails; an unknown type gives nil. */
void mt_value_push(lua_State *L, const mt_Type *type, const void *bytes);

/*
** Store the value at 'index' as 'type'. Returns false, with the reason in
** 'err', if it is of another kind, out of range, has the wrong number of
** elements, or fields that the struct lacks. A number stands for a vector whose
** components are all equal. The stack is left unchanged.
*/
bool mt_value_store(lua_State *L, int index, const mt_Type *type, void *bytes,
                    mt_Error *err);

/*
** Append the value as text: 0.25, true, {1, 2, 3}. Scalars and vectors; six
** digits of a float, or as many as are said.
*/
void mt_value_text(const mt_Type *type, const void *bytes, mt_Str *out);
void mt_value_digits(const mt_Type *type, const void *bytes, int digits,
                     mt_Str *out);

#endif
