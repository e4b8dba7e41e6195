/*
** run.h - threadgroups on all cores: the room's public header.
**
** mt_dispatch (dispatch.h) runs compiled code over a grid and returns when the
** launch is over. Kernels are not trusted: one that faults or does not end is
** abandoned on its stack (fault_guard.h), and the launch is an error. Threads
** that synchronise in code that runs thread by thread are fibers (fiber.h).
** crosslane_reference.h defines the cross-lane operations, kernel_log.h keeps
** what kernels log, progress.h tells the user about long runs.
*/
#ifndef MT_HOST_RUN_RUN_H
#define MT_HOST_RUN_RUN_H

#include "devices/host/run/crosslane_reference.h"
#include "devices/host/run/dispatch.h"
#include "devices/host/run/fault_guard.h"
#include "devices/host/run/fiber.h"
#include "devices/host/run/kernel_log.h"
#include "devices/host/run/progress.h"

#endif
