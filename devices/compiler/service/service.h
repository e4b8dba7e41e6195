/*
** service.h - what every compiling device needs around its compiler: the room's
** public header.
**
** The way of a source: mt_source_library_new has the front end compile it, or
** finds the module among the recent ones (source_library.h). A kernel of it is
** a job, all that its code depends on (compile_job.h); mt_compile_job_pack
** makes bytes of it for a worker process. mt_disk_cache_write keeps code on
** disk for later sessions, by a key over the same facts (disk_cache.h). What a
** device makes of a job is its own.
*/
#ifndef MT_COMPILER_SERVICE_SERVICE_H
#define MT_COMPILER_SERVICE_SERVICE_H

#include "devices/compiler/service/compile_job.h"
#include "devices/compiler/service/disk_cache.h"
#include "devices/compiler/service/source_library.h"

#endif
