/*
** spawn.h - begin a process: what child.c, fork_server.c and worker_process.c
** have in common.
*/
#ifndef MT_SPAWN_H
#define MT_SPAWN_H

#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

#define MT_SPAWN_FDS 4

typedef struct mt_Spawn {
  const char *const *argv; /* argv[0] is a path; ends with NULL */
  const char *const *env;  /* NULL: this process's */
  int fds[MT_SPAWN_FDS];   /* become its 0, 1, 2 and 3; -1 = left out */
  size_t memory;           /* bytes of address space; 0 = no limit */
  double seconds;          /* of the processor's time; 0 = no limit */
} mt_Spawn;

/* In a process group of its own. It is killed when this process ends in
** whatever way, on Linux when the thread ends that called. -1 and errno: it
** could not be begun. */
pid_t mt_spawn(const mt_Spawn *what);

/* Wait for the end of such a process; its status as waitpid gives it. */
int mt_spawn_wait(pid_t pid);

/* -1 is none, and what it is left as. */
static inline void mt_close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

#endif
