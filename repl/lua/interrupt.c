/*
** interrupt.c - the signal handler and the hook.
**
** The handler makes only async-signal-safe calls: it sets the cancel flag and
** calls lua_sethook, which Lua allows there, on every running state.
*/
#include "repl/lua/interrupt.h"

#include <lauxlib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/clock.h"
#include "base/terminal/screen.h"
#include "lua/bind/core/shell.h"
#include "repl/terminal/terminal.h"

enum { DEEPEST = 256 }; /* Lua allows about 200 nested resumes */

/* Of the process: what the handler of the signal has to stop. */
static lua_State *running[DEEPEST]; /* the main state, then coroutines */
static volatile sig_atomic_t depth;
static volatile sig_atomic_t presses;
static volatile uint64_t first_press;

static void stop(lua_State *L, lua_Debug *ar) {
  (void)ar;
  luaL_error(L, "interrupted");
}

static void set_hooks(lua_Hook hook, int mask) {
  int n = depth < DEEPEST ? depth : DEEPEST;
  for (int i = 0; i < n; i++)
    if (running[i]) lua_sethook(running[i], hook, mask, 1);
}

/* C code does not poll the flag: end the program, or the user would have to
** kill it. */
static void give_up(void) {
  static const char note[] =
      "\nmettle: what runs does not stop; ended by the third Ctrl-C\n";
  mt_screen_drop();
  mt_term_cooked();
  if (write(STDERR_FILENO, note, sizeof note - 1) < 0) _exit(130);
  _exit(130);
}

static void on_interrupt(int signal_number) {
  (void)signal_number;
  if (depth == 0) return; /* at a prompt: only interrupt the read */
  uint64_t now = mt_now_ns();
  if (presses == 0) first_press = now;
  presses = presses + 1;
  if (presses >= 3 && now - first_press > 1000000000u) give_up();
  mt_cancel_request();
  mt_shell_interrupt();
  set_hooks(stop, LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT);
}

void mt_interrupt_begin(lua_State *L) {
  mt_cancel_clear();
  presses = 0;
  running[0] = L;
  depth = 1;
}

bool mt_interrupt_end(lua_State *L) {
  depth = 0;
  lua_sethook(L, NULL, 0, 0);
  return presses > 0;
}

void mt_interrupt_close(lua_State *L) {
  mt_interrupt_begin(L);
  running[0] = NULL; /* the state ends; its finalisers are tracked above it */
  lua_close(L);
  depth = 0;
}

/* --------------------------------------------------------------- coroutines */

int mt_interrupt_resume(lua_State *co, lua_State *from, int given,
                        int *results) {
  enum { GRACE = 1000000 }; /* instructions of a finaliser after Ctrl-C */
  int level = depth;
  if (level > 0 && level < DEEPEST) {
    running[level] = co;
    depth = level + 1;
    if (presses > 0) lua_sethook(co, stop, LUA_MASKCOUNT, GRACE);
  }
  int status = lua_resume(co, from, given, results);
  depth = level;
  lua_sethook(co, NULL, 0, 0);
  return status;
}

/* Call the real coroutine.resume with the values on the stack: a coroutine and
** its arguments. It raises only if out of memory. */
static int tracked_resume(lua_State *L, int resume) {
  lua_State *co = lua_tothread(L, 1);
  int level = depth;
  lua_pushvalue(L, resume);
  lua_insert(L, 1);
  if (co != NULL && level > 0 && level < DEEPEST) {
    running[level] = co;
    depth = level + 1;
    if (presses > 0) set_hooks(stop, LUA_MASKCOUNT);
  }
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  depth = level;
  if (co != NULL) lua_sethook(co, NULL, 0, 0);
  return lua_gettop(L);
}

static int co_resume(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTHREAD);
  return tracked_resume(L, lua_upvalueindex(1));
}

/* The function that coroutine.wrap returns; upvalues: resume, coroutine. */
static int wrapped(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_insert(L, 1);
  tracked_resume(L, lua_upvalueindex(1));
  if (lua_toboolean(L, 1)) return lua_gettop(L) - 1;
  lua_State *co = lua_tothread(L, lua_upvalueindex(2));
  int status = lua_status(co);
  if (status != LUA_OK && status != LUA_YIELD)
    lua_resetthread(co);               /* closes its variables marked <close> */
  if (lua_type(L, 2) == LUA_TSTRING) { /* add the position, as Lua does */
    luaL_where(L, 1);
    lua_insert(L, 2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

/* Upvalues: resume, the real coroutine.create. */
static int co_wrap(lua_State *L) {
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_pushvalue(L, lua_upvalueindex(2));
  lua_pushvalue(L, 1);
  lua_call(L, 1, 1);
  lua_pushcclosure(L, wrapped, 2);
  return 1;
}

void mt_interrupt_open(lua_State *L) {
  lua_getglobal(L, "coroutine");
  lua_getfield(L, -1, "resume");
  lua_getfield(L, -2, "create");
  lua_pushvalue(L, -2);
  lua_insert(L, -2);
  lua_pushcclosure(L, co_wrap, 2);
  lua_setfield(L, -3, "wrap");
  lua_pushcclosure(L, co_resume, 1);
  lua_setfield(L, -2, "resume");
  lua_pop(L, 1);

  struct sigaction act = {.sa_handler = on_interrupt}; /* no SA_RESTART */
  sigaction(SIGINT, &act, NULL);
}
