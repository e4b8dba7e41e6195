/*
** cache_limit.h - one limit for what the cache folder holds.
**
** The folder (mt_dir_cache) holds machine code, in a folder for each device,
** and the modules that the front end makes. Together they are kept below
** METTLE_CACHE_MB, or 64 MB: when it is exceeded, the least recently used files
** are deleted until half of it is left. A file's time of modification is that
** of its last use, so a read touches it. Not counted: the precompiled
** headers, which every compile needs (msl/clang/header.c).
*/
#ifndef MT_CACHE_LIMIT_H
#define MT_CACHE_LIMIT_H

#include <stddef.h>

#define MT_CACHE_CLANG "made-" /* prefix of modules */
#define MT_CACHE_CODE ".o"     /* suffix of machine code */

/* In bytes. */
long long mt_cache_limit(void);

/* A file of so many bytes was written: deletes old ones from time to time. */
void mt_cache_written(size_t bytes);

#endif
