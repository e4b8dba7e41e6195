/*
** code_cache.h - machine code in memory, shared by kernels with the same key.
*/
#ifndef MT_HOST_NATIVE_CODE_CACHE_H
#define MT_HOST_NATIVE_CODE_CACHE_H

#include "devices/compiler/service/service.h"
#include "devices/host/native/native.h"

/* Loaded code, shared by all kernels with its key. */
typedef struct mt_LoadedCode {
  mt_CodeFacts made;
  mt_Code *code;
  unsigned users;    /* it is unloaded only while there are none */
  uint64_t last_use;
  struct mt_LoadedCode *next;
} mt_LoadedCode;

/* The caller releases returned code with mt_code_cache_release. When more than
** 'mt_code_cache_most' entries are loaded, those without users are unloaded,
** least recently used first. */
extern size_t mt_code_cache_most;
size_t mt_code_cache_loaded(void); /* number of entries */
mt_LoadedCode *mt_code_cache_find(const mt_Key *key);
mt_Status mt_code_cache_add(const mt_CodeFacts *made, const mt_Str *object,
                            mt_LoadedCode **out, mt_Error *err);
void mt_code_cache_release(mt_LoadedCode *s);

#endif
