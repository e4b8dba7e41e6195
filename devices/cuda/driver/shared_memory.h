/*
** shared_memory.h - memory that the console and the drivers' processes share.
**
** One file in memory (memfd), far larger than the machine's memory; pages take
** memory once they are written. The console takes ranges of it and maps all of
** it once, each driver's process does the same: a range has one offset for
** all.
**
** Threads: the console thread only.
*/
#ifndef MT_CUDA_DRIVER_SHARED_MEMORY_H
#define MT_CUDA_DRIVER_SHARED_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* In the console: makes it at the first call. The file, for a process. */
mt_Status mt_shared_memory_open(int *file, mt_Error *err);

/* In a driver's process: maps the shared memory of that file. */
mt_Status mt_shared_memory_map(int file, mt_Error *err);

/* 'size' zeroed bytes from a page's start on; NULL: no room, or not open. The
** address does not change until mt_shared_memory_free, which takes NULL too. */
void *mt_shared_memory_new(size_t size);
void mt_shared_memory_free(void *at, size_t size);

uint64_t mt_shared_memory_offset(const void *at);
void *mt_shared_memory_at(uint64_t offset);

#endif
