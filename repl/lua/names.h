/*
** names.h - names in incomplete code and their current values.
**
** All of these read live tables. They may call __index functions, always
** protected, and leave the stack unchanged unless they say that they push.
*/
#ifndef MT_NAMES_H
#define MT_NAMES_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* The start of the name that ends at 'end': for "x = gpu.buf" at its end, the
** position of "gpu.buf". Accepts a.b, a:b, a[1] and a["b"]. */
size_t mt_name_start(const char *text, size_t end);

/* Push the value of a name of 'n' bytes such as "gpu" or "t.list[2]"; pushes
** nothing and returns false if there is none. */
bool mt_name_push(lua_State *L, const char *name, size_t n);

/* Call 'each' for the names that can follow the value on top of the stack: with
** ':' only those that can be called. */
typedef void (*mt_NameEach)(void *context, const char *name);
void mt_name_list(lua_State *L, char separator, mt_NameEach each,
                  void *context);

#endif
