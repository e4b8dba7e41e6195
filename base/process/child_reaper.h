/*
** child_reaper.h - a process that kills Mettle's children if Mettle dies first.
**
** For systems that cannot tie a child's life to its parent's: macOS. (Linux has
** PR_SET_PDEATHSIG, see spawn.c.) The reaper holds one end of a socket; only
** Mettle has the other. When Mettle ends, however that happens, the reaper
** reads end-of-file, kills the process groups that are left and exits.
*/
#ifndef MT_CHILD_REAPER_H
#define MT_CHILD_REAPER_H

#include <sys/types.h>

/* Start the reaper if there is none; call before a fork. If it cannot be
** started, children may outlive Mettle. One thread at a time. */
void mt_child_reaper_open(void);

/* In a child, between fork and exec: register its group. Async-signal-safe. */
void mt_child_reaper_enter(void);

/* That process has ended; its pid may be reused. */
void mt_child_reaper_forget(pid_t pid);

#endif
