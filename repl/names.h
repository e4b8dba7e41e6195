/*
** names.h - names in half-typed code and the values they stand for now.
**
** All of these look at live tables. They may call __index functions, always
** protected, and leave the stack as it was unless they say they push.
*/
#ifndef MT_NAMES_H
#define MT_NAMES_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

/* Where the name that ends at 'end' starts: for "x = gpu.buf" at its end, the
** place of "gpu.buf". Goes over a.b, a:b, a[1] and a["b"]. */
size_t mt_name_start(const char *text, size_t end);

/* Push what 'n' bytes such as "gpu" or "t.list[2]" stand for; nothing and
** false if there is no such thing. */
bool mt_name_push(lua_State *L, const char *name, size_t n);

/* Call 'each' for the names that can stand behind the value on top of the
** stack: with ':' only those that can be called. */
typedef void (*mt_NameEach)(void *context, const char *name);
void mt_name_list(lua_State *L, char separator, mt_NameEach each,
                  void *context);

#endif
