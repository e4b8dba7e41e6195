/*
** fork_server.h - a program that stays loaded, so that running it costs a fork.
**
** For a program that takes longer to load than to do its work (Clang). It is
** started once and held before its main by a small library (preload/stay.c);
** mt_child_start_from (base/child.h) asks it for runs. It ends with Mettle.
** Linux alone: elsewhere none is ever made, and children start as usual.
*/
#ifndef MT_BASE_FORK_SERVER_H
#define MT_BASE_FORK_SERVER_H

#include <stdbool.h>

#include "base/spawn.h"

typedef struct mt_ForkServer mt_ForkServer;

/* Start loading 'program', a path, and return at once. 'hook' is the path of
** the library. NULL: this program cannot stay (a script, another processor's
** program, another system). */
mt_ForkServer *mt_fork_server_new(const char *program, const char *hook);

/* Has it neither died nor left a question unanswered, and is it still the
** program of that name on the disk? */
bool mt_fork_server_usable(const mt_ForkServer *loaded);

/* Is it loaded by now? */
bool mt_fork_server_ready(mt_ForkServer *loaded);

/* One run, as mt_spawn's, whose env is ignored. -1: it cannot; do without. */
pid_t mt_fork_server_spawn(mt_ForkServer *loaded, const mt_Spawn *what);

void mt_fork_server_free(mt_ForkServer *loaded); /* NULL ok */

#endif
