/*
** landlock.h - files that the kernel itself refuses to this process (Linux).
**
** Rules are collected and then entered for good: they hold for the calling
** thread, the threads and the processes that it starts from then on, Clang and
** LLVM's process among them, whatever code runs there. Paths that may be opened
** are allowed one by one, a folder with everything below it; all other files
** can neither be read, written nor run. (Their names can still be asked for:
** Landlock does not hide that a file exists.)
**
** Linux 5.13 or newer has it, unless it was built or booted without it, or a
** container forbids the calls; other systems do not.
*/
#ifndef MT_LANDLOCK_H
#define MT_LANDLOCK_H

#include <stdbool.h>

typedef enum mt_LandlockRights {
  MT_LANDLOCK_READ,  /* files and lists of files */
  MT_LANDLOCK_RUN,   /* and programs are started */
  MT_LANDLOCK_WRITE  /* read, written, made and removed, not run */
} mt_LandlockRights;

/* Does this kernel have it? */
bool mt_landlock_there(void);

/* Rules that allow nothing yet; -1: there is no Landlock. */
int mt_landlock_new(void);

/* Links are followed. A path that does not exist is passed over, as is NULL. */
void mt_landlock_allow(int rules, const char *path, mt_LandlockRights rights);

/* Enter them, and close 'rules'. False: nothing has changed. */
bool mt_landlock_enter(int rules);

#endif
