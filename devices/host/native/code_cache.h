/*
** code_cache.h - machine code in memory, shared by kernels with the same key.
*/
#ifndef MT_HOST_NATIVE_CODE_CACHE_H
#define MT_HOST_NATIVE_CODE_CACHE_H

#include "devices/compiler/service/disk_cache.h"
#include "devices/host/native/native.h"

/* Loaded code, shared by all kernels that have the same key. */
typedef struct mt_LoadedCode {
  mt_CodeFacts made;
  mt_Code *code;
  unsigned users;    /* while it has some it stays */
  uint64_t last_use;
  struct mt_LoadedCode *next;
} mt_LoadedCode;

/* Code in memory; the caller gives it back with mt_code_cache_release. What
** nobody has is given up, least recently used first, where there is more
** than 'mt_code_cache_most' of it. */
extern size_t mt_code_cache_most;
size_t mt_code_cache_loaded(void); /* how much there is */
mt_LoadedCode *mt_code_cache_find(const mt_Key *key);
mt_Status mt_code_cache_add(const mt_CodeFacts *made, const mt_Str *object,
                            mt_LoadedCode **out, mt_Error *err);
void mt_code_cache_release(mt_LoadedCode *s);

#endif
