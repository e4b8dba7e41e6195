/*
** shell.c - os.execute and io.popen that an interrupt ends, see shell.h.
**
** The one idea: a wait for a command polls the cancel flag. A command
** that does not end by the interrupt's SIGINT within a second is asked once
** more by SIGTERM, then killed. (A shell that is about to start a program may
** lose the SIGINT.) That holds for a pipe, too, which is closed long after the
** code that read from it was interrupted.
*/
#include "lua/bind/core/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cancel.h"
#include "base/clock.h"
#include "lua/bind/core/core.h"

#define SHELL "/bin/sh"
#define MOST_TOLD 64    /* commands at once that an interrupt reaches */
#define SECOND 1000000000u
#define LONGEST_NAP 10000 /* us between two looks at a command */

extern char **environ;

typedef struct Told {
  atomic_int group; /* the process group of a command; 0: free */
  atomic_bool interrupted;
} Told;

static Told told[MOST_TOLD];

typedef struct Command {
  pid_t pid;
  bool apart;      /* in a process group of its own */
  FILE *file;      /* of io.popen */
  struct Command *next;
} Command;

static Command *open_pipes; /* those of io.popen */

/* ------------------------------------------------------------- interrupting */

void mt_shell_interrupt(void) {
  for (int i = 0; i < MOST_TOLD; i++) {
    int group = atomic_load(&told[i].group);
    if (group <= 0) continue;
    atomic_store(&told[i].interrupted, true);
    kill(-group, SIGINT);
  }
}

static void list(const Command *c) {
  for (int i = 0, none; c->apart && i < MOST_TOLD; i++) {
    none = 0;
    if (atomic_compare_exchange_strong(&told[i].group, &none, (int)c->pid))
      return;
  }
}

static Told *listed(const Command *c) {
  for (int i = 0; i < MOST_TOLD; i++)
    if (atomic_load(&told[i].group) == (int)c->pid) return &told[i];
  return NULL;
}

static void unlist(const Command *c) {
  Told *t = listed(c);
  if (t == NULL) return;
  atomic_store(&t->interrupted, false);
  atomic_store(&t->group, 0);
}

static bool was_interrupted(const Command *c) {
  Told *t = listed(c);
  return mt_cancelled() || (t && atomic_load(&t->interrupted));
}

/* Does the terminal send Ctrl-C to this process's group, and so to commands
** that are in it? */
static bool has_terminal(void) {
  return tcgetpgrp(STDIN_FILENO) == getpgrp() ||
         tcgetpgrp(STDERR_FILENO) == getpgrp();
}

/* ----------------------------------------------------------------- starting */

/* 'end' becomes the command's 'target', 0 or 1; -1: it has ours. */
static int start(Command *c, const char *text, int end, int target) {
  char *argv[] = {(char *)"sh", (char *)"-c", (char *)text, NULL};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  sigset_t none, usual;
  short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
  c->apart = !has_terminal();
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGQUIT);
  sigaddset(&usual, SIGPIPE);
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&how);
  posix_spawnattr_setsigmask(&how, &none);
  posix_spawnattr_setsigdefault(&how, &usual);
  if (c->apart) posix_spawnattr_setpgroup(&how, 0);
  posix_spawnattr_setflags(
      &how, (short)(flags | (c->apart ? POSIX_SPAWN_SETPGROUP : 0)));
  if (end >= 0) posix_spawn_file_actions_adddup2(&files, end, target);
  int why = posix_spawn(&c->pid, SHELL, &files, &how, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&how);
  if (why == 0) list(c);
  if (mt_cancelled()) mt_shell_interrupt(); /* it came before the list */
  return why;
}

/* ------------------------------------------------------------------ waiting */

/* It was interrupted 'since' ns ago and still runs. */
static void insist(const Command *c, uint64_t since) {
  if (!c->apart || since < SECOND) return;
  kill(-c->pid, since < 2 * (uint64_t)SECOND ? SIGTERM : SIGKILL);
}

/* Wait for its end; its status as waitpid gives it, or -1. */
static int await(Command *c) {
  useconds_t nap = 100;
  uint64_t noticed = 0;
  int how = -1;
  pid_t got;
  while ((got = waitpid(c->pid, &how, WNOHANG)) == 0 ||
         (got < 0 && errno == EINTR)) {
    if (was_interrupted(c)) {
      if (noticed == 0) noticed = mt_now_ns();
      insist(c, mt_now_ns() - noticed);
    }
    usleep(nap);
    if (nap < LONGEST_NAP) nap *= 2;
  }
  unlist(c);
  return got == c->pid ? how : -1;
}

/* As C's system(): the terminal's Ctrl-C is the command's; if it ends by it, so
** does the code that waits. */
static int await_at_terminal(Command *c) {
  struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt, quit;
  sigaction(SIGINT, &ignore, &interrupt);
  sigaction(SIGQUIT, &ignore, &quit);
  int how = await(c);
  sigaction(SIGINT, &interrupt, NULL);
  sigaction(SIGQUIT, &quit, NULL);
  bool ended = how != -1 &&
               ((WIFSIGNALED(how) && WTERMSIG(how) == SIGINT) ||
                (WIFEXITED(how) && WEXITSTATUS(how) == 128 + SIGINT));
  if (ended) raise(SIGINT);
  return how;
}

/* os.execute([command]) */
static int shell_execute(lua_State *L) {
  const char *text = mt_lua_opt_text(L, 1, NULL);
  Command c = {0};
  if (text == NULL) {
    lua_pushboolean(L, access(SHELL, X_OK) == 0);
    return 1;
  }
  fflush(stdout); /* what was printed before stands before */
  int why = start(&c, text, -1, -1);
  errno = why;
  if (why) return luaL_fileresult(L, 0, NULL);
  errno = 0;
  return luaL_execresult(L, c.apart ? await(&c) : await_at_terminal(&c));
}

/* -------------------------------------------------------------------- pipes */

static Command *take_pipe(const FILE *file) {
  for (Command **at = &open_pipes; *at; at = &(*at)->next)
    if ((*at)->file == file) {
      Command *c = *at;
      *at = c->next;
      return c;
    }
  return NULL;
}

/* f:close(), and the collector's. */
static int close_pipe(lua_State *L) {
  luaL_Stream *s = luaL_checkudata(L, 1, LUA_FILEHANDLE);
  Command *c = take_pipe(s->f);
  fclose(s->f);
  int how = c ? await(c) : -1;
  free(c);
  errno = 0;
  return luaL_execresult(L, how);
}

/* Pipe and command; false with errno. */
static bool open_pipe(Command *c, const char *text, bool reads) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  int ours = ends[reads ? 0 : 1], theirs = ends[reads ? 1 : 0];
  fcntl(ours, F_SETFD, FD_CLOEXEC);
  fcntl(theirs, F_SETFD, FD_CLOEXEC);
  c->file = fdopen(ours, reads ? "r" : "w");
  int why = c->file ? start(c, text, theirs, reads ? 1 : 0) : errno;
  close(theirs);
  if (why == 0) return true;
  if (c->file) fclose(c->file);
  else close(ours);
  errno = why;
  return false;
}

/* io.popen(command [, mode]) */
static int shell_popen(lua_State *L) {
  const char *text = mt_lua_check_text(L, 1);
  const char *mode = luaL_optstring(L, 2, "r");
  luaL_argcheck(L, strcmp(mode, "r") == 0 || strcmp(mode, "w") == 0, 2,
                "invalid mode");
  luaL_Stream *s = lua_newuserdatauv(L, sizeof *s, 0);
  s->closef = NULL; /* closed, until there is something to close */
  luaL_setmetatable(L, LUA_FILEHANDLE);
  fflush(NULL);
  Command *c = calloc(1, sizeof *c);
  if (c == NULL || !open_pipe(c, text, mode[0] == 'r')) {
    free(c);
    return luaL_fileresult(L, 0, text);
  }
  c->next = open_pipes;
  open_pipes = c;
  s->f = c->file;
  s->closef = close_pipe;
  return 1;
}

void mt_lua_open_shell(lua_State *L) {
  lua_getglobal(L, "os");
  lua_pushcfunction(L, shell_execute);
  lua_setfield(L, -2, "execute");
  lua_getglobal(L, "io");
  lua_pushcfunction(L, shell_popen);
  lua_setfield(L, -2, "popen");
  lua_pop(L, 2);
}
