/*
** interrupt.h - Ctrl-C while something runs.
**
** Kernels and other long C work poll base/cancel.h; Lua code is stopped by a
** hook that raises "interrupted" and stays until control is back here, so that
** no pcall can swallow it. Coroutines are stopped too: mt_interrupt_open wraps
** coroutine.resume and coroutine.wrap to know which of them runs.
*/
#ifndef MT_INTERRUPT_H
#define MT_INTERRUPT_H

#include <lua.h>
#include <stdbool.h>

void mt_interrupt_open(lua_State *L); /* once, after mt_lua_open */

/* lua_close, of which Ctrl-C ends the finalisers. */
void mt_interrupt_close(lua_State *L);

/* lua_resume of the coroutine of a finaliser, which Ctrl-C stops. */
int mt_interrupt_resume(lua_State *co, lua_State *from, int given, int *results);

/* Around everything that runs a person's code. */
void mt_interrupt_begin(lua_State *L);
bool mt_interrupt_end(lua_State *L); /* true if Ctrl-C came in between */

#endif
