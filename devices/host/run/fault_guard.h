/*
** fault_guard.h - kernels that fault or do not end leave the console standing.
**
** A guarded run is left at once, from any point in generated code, when that
** code faults on its OS thread or when another thread asks all to stop. What is
** left behind is the kernel's stack and nothing else: code that holds a lock or
** allocates while it is guarded shields itself.
*/
#ifndef MT_HOST_RUN_FAULT_GUARD_H
#define MT_HOST_RUN_FAULT_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/host/run/dispatch.h"

/* Console thread, before guarded runs begin. */
void mt_guard_ready(void);

/*
** Call body(context) on this thread. False if it was left; then
** worker->fault says why. Runs on workers; not nested.
*/
bool mt_guard_run(mt_Worker *worker, void (*body)(void *), void *context);

/* Whose run this thread is in. Helpers of generated code only. */
mt_Worker *mt_guard_worker(void);

/* Between these the calling thread's run is not left by mt_guard_stop. */
void mt_guard_shield(void);
void mt_guard_unshield(void);

/* Leave every guarded run, on whichever thread; ask again until they are
** gone, since a shielded one ignores it. Any thread. */
void mt_guard_stop(void);

/* ------------------------------------------------------------------- watch */

/* Why a launch has to end, in mt_stop; generated code may look at it. */
enum { MT_STOP_NO, MT_STOP_CANCEL, MT_STOP_TIME, MT_STOP_FAULT };
extern atomic_int mt_stop;

/*
** Between these, Ctrl-C (base/cancel.h) and the moment 'deadline' (mt_now_ns;
** 0: none) set mt_stop, and if runs go on in spite of it they are left. Console
** thread.
*/
void mt_watchdog_begin(uint64_t deadline);
void mt_watchdog_end(void);

#endif
