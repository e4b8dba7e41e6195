/*
** fork_server.h - a program that stays loaded, so that running it costs a fork.
**
** For a program that takes longer to load than to do its work (Clang). It is
** started once and stopped before its main by a small library
** (preload/stay.c); mt_child_start_from (base/process/child.h) requests runs.
** It ends with Mettle. Linux only: elsewhere mt_fork_server_new returns NULL,
** and children are started as usual.
*/
#ifndef MT_BASE_FORK_SERVER_H
#define MT_BASE_FORK_SERVER_H

#include <stdbool.h>

#include "base/process/spawn.h"

typedef struct mt_ForkServer mt_ForkServer;

/* Start loading 'program', a path, and return at once. 'hook' is the path of
** the library. NULL: this program cannot be a fork server (a script, a program
** for another processor, a system other than Linux). */
mt_ForkServer *mt_fork_server_new(const char *program, const char *hook);

/* Is it alive, has it answered every request, and is the file on disk still the
** program that was loaded? */
bool mt_fork_server_usable(const mt_ForkServer *loaded);

/* Has it finished loading? */
bool mt_fork_server_ready(mt_ForkServer *loaded);

/* A run of 'loaded' with these arguments, which stops where it opens its
** standard input by its name (MT_STAY_TEXT): the runs of what is returned go on
** from there, and their arguments are these. So what they do before is done
** once. It is ready when it has come there; a program that never does is not
** usable, or never ready. NULL: it could not be started. */
mt_ForkServer *mt_fork_server_park(mt_ForkServer *loaded,
                                   const char *const *argv);

/* One run, as mt_spawn; what->env is ignored. -1: failed; use mt_spawn. The run
** writes the status that main returned to '*ended', as an int, some time before
** it can be waited for; the end of that file: it ended in another way. The
** caller closes '*ended', -1 on failure. */
pid_t mt_fork_server_spawn(mt_ForkServer *loaded, const mt_Spawn *what,
                           int *ended);

/* Wait for the end of a run that has written its status, but later: when
** another one leaves or a server is freed. */
void mt_fork_server_leave(pid_t run);

void mt_fork_server_free(mt_ForkServer *loaded); /* NULL ok */

#endif
