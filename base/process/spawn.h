/*
** spawn.h - start a process; used by child.c, fork_server.c and
** worker_process.c.
*/
#ifndef MT_SPAWN_H
#define MT_SPAWN_H

#include <stddef.h>
#include <sys/types.h>
#include <unistd.h>

#define MT_SPAWN_FDS 4

/* The most stack that a process gets. Where the shell or an old make (3.81)
** lifts the limit, a source nested too deep would take all memory instead. */
#define MT_SPAWN_STACK ((size_t)8 << 20)

typedef struct mt_Spawn {
  const char *const *argv; /* argv[0] is a path; ends with NULL */
  const char *const *env;  /* NULL: this process's */
  int fds[MT_SPAWN_FDS];   /* become its 0, 1, 2 and 3; -1 = left out */
  size_t memory;           /* bytes of address space; 0 = no limit */
  double seconds;          /* of processor time; 0 = no limit */
  int shared;              /* becomes its 4; 0 = left out */
} mt_Spawn;

/* Starts it in its own process group. It is killed when this process ends,
** however that happens; on Linux when the calling thread ends. -1 and errno: it
** could not be started. */
pid_t mt_spawn(const mt_Spawn *what);

/* Wait for the end of that process; returns its status as waitpid does. */
int mt_spawn_wait(pid_t pid);

/* Closes '*fd' unless it is -1, and sets it to -1. */
static inline void mt_close_fd(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

#endif
