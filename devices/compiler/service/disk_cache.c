/*
** disk_cache.c - machine code on disk, see disk_cache.h.
**
** The one idea: one file for each key (base/files/cache_entry.h), where facts
** about the code stand before the object file.
*/
#include "devices/compiler/service/disk_cache.h"

#include <stdio.h>
#include <string.h>

#include "base/files/cache_limit.h"
#include "base/files/file.h"
#include "base/files/file_ownership.h"
#include "base/files/folders.h"

#define MAX_FILE (16u << 20)

void mt_key_symbol(const mt_Key *k, char out[40]) {
  snprintf(out, 40, "mt_k%016llx%016llx", (unsigned long long)k->word[0],
           (unsigned long long)k->word[1]);
}

/* ----------------------------------------------------------------- on disk */

typedef struct Head { /* of the content; then the object file */
  uint64_t spill_bytes, stack_bytes, threadgroup_bytes, kept_bytes;
  uint64_t simd, by_rows, any_rows;
  char fallback[MT_FALLBACK_LENGTH];
  mt_Uses uses;
} Head;

/* "…/mettle/host", created if missing; NULL: there is no cache folder, or one
** that other users could write machine code into. */
static const char *folder(void) {
  static char path[4096];
  static enum { UNKNOWN, GOOD, NONE } found;
  const char *base = mt_dir_cache();
  mt_Error err;
  if (!base || found == NONE) return NULL;
  if (found == GOOD && mt_file_exists(path)) return path;
  bool good =
      (size_t)snprintf(path, sizeof path, "%s/host", base) < sizeof path &&
      mt_dir_make(path, 0700, &err) == MT_OK && mt_folder_is_owned(path, &err);
  found = good ? GOOD : NONE;
  return good ? path : NULL;
}

static bool file_name(const mt_Key *key, char *out, size_t size) {
  char symbol[40];
  const char *in = folder();
  if (!in) return false;
  mt_key_symbol(key, symbol);
  return (size_t)snprintf(out, size, "%s/%s" MT_CACHE_CODE, in, symbol) < size;
}

bool mt_disk_cache_read(const mt_Key *key, mt_CodeFacts *made, mt_Str *object) {
  char path[4200];
  mt_Str all = MT_STR_INIT;
  Head h;
  bool ok = file_name(key, path, sizeof path) &&
            mt_cache_entry_read(path, key, MAX_FILE, &all) &&
            all.length >= sizeof h;
  if (ok) {
    memcpy(&h, all.text, sizeof h);
    *made = (mt_CodeFacts){.key = *key,
                           .spill_bytes = h.spill_bytes,
                           .stack_bytes = h.stack_bytes,
                           .threadgroup_bytes = h.threadgroup_bytes,
                           .kept_bytes = h.kept_bytes,
                           .simd = h.simd != 0,
                           .by_rows = h.by_rows != 0,
                           .any_rows = h.any_rows != 0,
                           .uses = h.uses};
    snprintf(made->fallback, sizeof made->fallback, "%s", h.fallback);
    mt_str_add_bytes(object, all.text + sizeof h, all.length - sizeof h);
    ok = !object->failed;
  }
  mt_str_free(&all);
  return ok;
}

void mt_disk_cache_write(const mt_CodeFacts *made, const mt_Str *object) {
  char path[4200];
  if (object->length > MAX_FILE - sizeof(Head)) return;
  if (!file_name(&made->key, path, sizeof path)) return;
  Head h = {.spill_bytes = made->spill_bytes,
            .stack_bytes = made->stack_bytes,
            .threadgroup_bytes = made->threadgroup_bytes,
            .kept_bytes = made->kept_bytes,
            .simd = made->simd, .by_rows = made->by_rows,
            .any_rows = made->any_rows,
            .uses = made->uses};
  snprintf(h.fallback, sizeof h.fallback, "%s", made->fallback);
  mt_Str all = MT_STR_INIT;
  mt_str_add_bytes(&all, (const char *)&h, sizeof h);
  mt_str_add_bytes(&all, mt_str_text(object), object->length);
  mt_cache_entry_write(path, &made->key, &all);
  mt_str_free(&all);
}
