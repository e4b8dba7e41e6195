/*
** disk_cache.c - machine code on disk, see disk_cache.h.
**
** The one idea: one file for each key, a header with a checksum followed by the
** object file, written by rename, so that a reader sees a whole file or none.
** base/files/cache_limit.h keeps the folder small.
*/
#include "devices/compiler/service/disk_cache.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utime.h>

#include "base/files/cache_limit.h"
#include "base/files/file.h"
#include "base/files/file_ownership.h"
#include "base/files/folders.h"

#define MAX_FILE (16u << 20)

/* -------------------------------------------------------------------- keys */

static uint64_t mix(uint64_t h, uint64_t word) {
  h = (h ^ word) * 0xff51afd7ed558ccdu;
  return h ^ h >> 32;
}

void mt_key_add(mt_Key *k, const void *bytes, size_t size) {
  const unsigned char *p = bytes;
  uint64_t a = mix(k->word[0], size), b = mix(k->word[1], ~(uint64_t)size);
  for (; size >= 8; p += 8, size -= 8) {
    uint64_t w;
    memcpy(&w, p, 8);
    a = mix(a, w);
    b = mix(b, w << 23 | w >> 41) + a;
  }
  uint64_t w = 0;
  memcpy(&w, p, size);
  k->word[0] = mix(a, w);
  k->word[1] = mix(b, w) + k->word[0];
}

void mt_key_add_text(mt_Key *k, const char *text) {
  mt_key_add(k, text ? text : "", text ? strlen(text) + 1 : 0);
}

bool mt_key_equal(const mt_Key *a, const mt_Key *b) {
  return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

void mt_key_symbol(const mt_Key *k, char out[40]) {
  snprintf(out, 40, "mt_k%016llx%016llx", (unsigned long long)k->word[0],
           (unsigned long long)k->word[1]);
}

/* ----------------------------------------------------------------- on disk */

typedef struct Header {
  char magic[8];
  mt_Key key;
  uint64_t spill_bytes, stack_bytes, threadgroup_bytes, kept_bytes;
  uint64_t simd, by_rows, any_rows;
  char fallback[MT_FALLBACK_LENGTH];
  mt_Uses uses;
  uint64_t size; /* of the object that follows */
  mt_Key sum;    /* of all other fields and the object */
} Header;

static const char MAGIC[8] = "mettle8";

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

static mt_Key sum_of(const Header *h, const void *bytes, size_t size) {
  mt_Key k = MT_KEY_INIT;
  mt_key_add(&k, h, offsetof(Header, sum));
  mt_key_add(&k, bytes, size);
  return k;
}

bool mt_disk_cache_read(const mt_Key *key, mt_CodeFacts *made, mt_Str *object) {
  char path[4200];
  mt_Error err;
  mt_Str all = MT_STR_INIT;
  Header h;
  bool ok = file_name(key, path, sizeof path) &&
            mt_file_read_owned(path, MAX_FILE, &all, &err) == MT_OK &&
            all.length > sizeof h;
  if (ok) {
    memcpy(&h, all.text, sizeof h);
    const char *body = all.text + sizeof h;
    mt_Key sum = sum_of(&h, body, all.length - sizeof h);
    ok = memcmp(h.magic, MAGIC, sizeof MAGIC) == 0 &&
         mt_key_equal(&h.key, key) && h.size == all.length - sizeof h &&
         mt_key_equal(&h.sum, &sum);
    if (ok) {
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
      mt_str_add_bytes(object, body, (size_t)h.size);
      utime(path, NULL); /* mark as recently used */
      ok = !object->failed;
    } else {
      unlink(path);
    }
  }
  mt_str_free(&all);
  return ok;
}

void mt_disk_cache_write(const mt_CodeFacts *made, const mt_Str *object) {
  char path[4200];
  if (object->length > MAX_FILE - sizeof(Header)) return;
  if (!file_name(&made->key, path, sizeof path)) return;
  Header h = {.key = made->key, .spill_bytes = made->spill_bytes,
              .stack_bytes = made->stack_bytes,
              .threadgroup_bytes = made->threadgroup_bytes,
              .kept_bytes = made->kept_bytes,
              .simd = made->simd, .by_rows = made->by_rows,
              .any_rows = made->any_rows,
              .uses = made->uses, .size = object->length};
  memcpy(h.magic, MAGIC, sizeof MAGIC);
  snprintf(h.fallback, sizeof h.fallback, "%s", made->fallback);
  h.sum = sum_of(&h, object->text, object->length);
  mt_Str all = MT_STR_INIT;
  mt_Error err;
  mt_str_add_bytes(&all, &h, sizeof h);
  mt_str_add_bytes(&all, object->text, object->length);
  if (!all.failed) mt_file_write(path, all.text, all.length, 0600, &err);
  mt_cache_written(all.length);
  mt_str_free(&all);
}
