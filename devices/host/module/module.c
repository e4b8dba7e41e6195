/*
** module.c - the table that host.so gives to the program, see host.h.
**
** The one place that joins kernels, the checker, the profiler and the
** recorder.
*/
#include "devices/host/check/check.h"
#include "devices/host/host.h"
#include "devices/host/kernel/kernel.h"
#include "devices/host/profile/profile.h"
#include "devices/host/record/record.h"
#include "devices/host/run/run.h"

extern const mt_HostEngine mt_host_engine; /* looked up by name */

__attribute__((visibility("default")))
const mt_HostEngine mt_host_engine = {
    .head = {.serve = mt_compile_server_serve,
             .library_new = mt_host_library_new,
             .library_free = mt_source_library_free,
             .kernel_new = mt_host_kernel_new,
             .kernel_free = mt_host_kernel_free,
             .kernel_listing = mt_host_listing},
    .ready = mt_compile_server_warm,
    .launch = mt_host_launch,
    .check = mt_check_run,
    .messages = mt_log_take,
    .profile = mt_profile_run,
    .record = mt_record_run,
};
