/*
** shell.h - os.execute and io.popen that an interrupt ends.
**
** C's own system() ignores Ctrl-C while it waits, and leaves it to the terminal
** to stop the command. In a notebook, or where the program is in the
** background, no terminal does. There a command has a process group of its own
** and gets the signal from us; where there is a terminal, commands stay in its
** foreground, as editors and pagers need it, and one that Ctrl-C has ended
** interrupts the Lua code that started it too.
*/
#ifndef MT_LUA_SHELL_H
#define MT_LUA_SHELL_H

#include <lua.h>

/* Replace os.execute and io.popen; arguments and results stay Lua's. */
void mt_lua_open_shell(lua_State *L);

/* An interrupt has come: to the commands that no terminal tells of it. Safe in
** a signal handler. */
void mt_shell_interrupt(void);

#endif
