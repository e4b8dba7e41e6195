/*
** warden.h - a process that ends our children when we end without doing so.
**
** For systems that cannot tie a child's life to its parent's: macOS. (Linux has
** PR_SET_PDEATHSIG, see spawn.c.) The warden holds one end of a socket whose
** other end is ours alone; when we are gone, in whatever way, it reads the end of
** it, kills the process groups that were left and goes, too.
*/
#ifndef MT_WARDEN_H
#define MT_WARDEN_H

#include <sys/types.h>

/* Begin the warden if there is none; before a fork. Where it cannot be had,
** children are not watched. One thread at a time. */
void mt_warden_open(void);

/* In a child, between fork and exec: its group is to be watched. Safe there. */
void mt_warden_enter(void);

/* That process has ended, and its number may soon be another's. */
void mt_warden_forget(pid_t pid);

#endif
