/*
** fault_guard.h - kernels that fault or do not end leave the console standing.
**
** A guarded run is abandoned at once, at any point in generated code, when that
** code faults on its OS thread or when another thread asks all runs to stop.
** Only the kernel's stack is abandoned with it: code that holds a lock or
** allocates during a guarded run shields itself.
*/
#ifndef MT_HOST_RUN_FAULT_GUARD_H
#define MT_HOST_RUN_FAULT_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/host/run/dispatch.h"

/* Install the signal handlers. Console thread, before guarded runs begin. */
void mt_guard_ready(void);

/*
** Call body(context) on this thread. False if it was abandoned; worker->fault
** then tells why. Runs on workers; does not nest.
*/
bool mt_guard_run(mt_Worker *worker, void (*body)(void *), void *context);

/* The worker of this thread's run. Only for functions that generated code
** calls. */
mt_Worker *mt_guard_worker(void);

/* Between these, mt_guard_stop does not abandon the calling thread's run. */
void mt_guard_shield(void);
void mt_guard_unshield(void);

/* Abandon the guarded runs whose group has this 'stop', on all threads.
** Shielded runs ignore it, so call it again until all have ended. Any
** thread. */
void mt_guard_stop(const atomic_int *stop);

/* ----------------------------------------------------------------- watchdog */

/* Why a launch has to end, in mt_Watch.stop; generated code may read it. */
enum { MT_STOP_NO, MT_STOP_CANCEL, MT_STOP_TIME, MT_STOP_FAULT };

/* A launch that is watched. Zeroed at first; it lives as long as the program
** and serves one launch after the other. */
typedef struct mt_Watch {
  atomic_int stop; /* mt_Group.stop of the launch */
  atomic_int running;
  atomic_ullong deadline;
  atomic_ullong seen; /* when the watchdog last looked, or the launch began */
  struct mt_Watch *next; /* of all that there are */
  bool known;
} mt_Watch;

/*
** Between these, Ctrl-C (base/cancel.h) and the time 'deadline' (mt_now_ns; 0:
** none) set 'stop'; runs that ignore it are abandoned. While the process is
** stopped (Ctrl-Z), the time that is left does not pass. Any thread.
*/
void mt_watchdog_begin(mt_Watch *watch, uint64_t deadline);
void mt_watchdog_end(mt_Watch *watch);

#endif
