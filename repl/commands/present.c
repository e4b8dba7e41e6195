/*
** present.c - mettle present: a script step by step, for an audience.
**
** The presenter is lua/present/present.lua. Its 'go' returns when it needs the
** console (the speaker goes to the prompt of this session) or after Ctrl-C,
** with the word in arg.wants, and is called again: so each piece of work has
** its own Ctrl-C, as lines at the prompt have. The socket that joins it with
** the notes on a second terminal is require "mettle.present":
**
**   listen(path) -> descriptor      accept(listening) -> descriptor or nil
**   connect(path) -> descriptor or nil
**   send(fd, text) -> boolean       receive(fd) -> text; nil: it is gone
**   close(fd)
*/
#include <lauxlib.h>
#include <unistd.h>

#include "base/files/local_socket.h"
#include "lua/bind/core/core.h"
#include "lua/mettle.h"
#include "repl/commands/commands.h"
#include "repl/console/console.h"
#include "repl/lua/interrupt.h"
#include "repl/lua/run.h"
#include "repl/lua/session.h"

/* ------------------------------------------------------------------ sockets */

static int socket_listen(lua_State *L) {
  int fd;
  mt_Error err;
  if (mt_local_listen(luaL_checkstring(L, 1), &fd, &err) != MT_OK)
    return mt_lua_raise(L, &err);
  lua_pushinteger(L, fd);
  return 1;
}

static int push_descriptor(lua_State *L, int fd) {
  if (fd < 0) return 0;
  lua_pushinteger(L, fd);
  return 1;
}

static int socket_accept(lua_State *L) {
  return push_descriptor(L, mt_local_accept((int)luaL_checkinteger(L, 1)));
}

static int socket_connect(lua_State *L) {
  return push_descriptor(L, mt_local_connect(luaL_checkstring(L, 1)));
}

static int socket_send(lua_State *L) {
  size_t n;
  const char *text = luaL_checklstring(L, 2, &n);
  lua_pushboolean(L, mt_local_send((int)luaL_checkinteger(L, 1), text, n));
  return 1;
}

static int socket_receive(lua_State *L) {
  char bytes[8192];
  ssize_t n =
      mt_local_receive((int)luaL_checkinteger(L, 1), bytes, sizeof bytes);
  if (n < 0) return 0;
  lua_pushlstring(L, bytes, (size_t)n);
  return 1;
}

static int socket_close(lua_State *L) {
  close((int)luaL_checkinteger(L, 1));
  return 0;
}

static int open_sockets(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"listen", socket_listen},   {"accept", socket_accept},
      {"connect", socket_connect}, {"send", socket_send},
      {"receive", socket_receive}, {"close", socket_close},
      {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}

/* --------------------------------------------------------------- presenting */

static mt_Exit present(lua_State *L) {
  for (;;) {
    mt_Exit status = mt_run_code(L, "require('lua.present.present').go(arg)");
    if (status != MT_EXIT_OK) return status;
    if (mt_session_wants(L, "console"))
      mt_console(L, false);
    else if (!mt_session_wants(L, "again"))
      return status;
  }
}

int mt_command_present(int argc, char **argv) {
  lua_State *L = mt_session_open();
  if (L == NULL) return MT_EXIT_ERROR;
  if (isatty(STDERR_FILENO)) mt_lua_for_person(L);
  luaL_requiref(L, "mettle.present", open_sockets, 0);
  lua_pop(L, 1);
  mt_session_arguments(L, argc, argv);
  int status = present(L);
  if (status != MT_EXIT_INTERRUPTED) status = mt_session_status(L, status);
  mt_interrupt_close(L);
  return status;
}
