/*
** interrupt.h - Ctrl-C while something runs.
**
** Kernels and other long C work poll base/cancel.h; Lua code is stopped by a
** hook that raises "interrupted" and stays until control returns here, so that
** no pcall can swallow it. Coroutines are stopped too: mt_interrupt_open wraps
** coroutine.resume and coroutine.wrap to track which of them runs.
*/
#ifndef MT_INTERRUPT_H
#define MT_INTERRUPT_H

#include <lua.h>
#include <stdbool.h>

void mt_interrupt_open(lua_State *L); /* once, after mt_lua_open */

/* lua_close, with finalisers that Ctrl-C can stop. */
void mt_interrupt_close(lua_State *L);

/* lua_resume of a finaliser's coroutine, which Ctrl-C can stop. */
int mt_interrupt_resume(lua_State *co, lua_State *from, int given,
                        int *results);

/* Call these before and after running the user's code. */
void mt_interrupt_begin(lua_State *L);
bool mt_interrupt_end(lua_State *L); /* true if Ctrl-C came in between */

#endif
