/*
** bitcode_cache.c - the on-disk cache of Clang's output for large texts.
**
** The one idea: Clang's output is a function of the text, flags and headers. So
** it is cached under a hash of these, with a checksum of its own; a missing,
** damaged or untrusted entry is a miss. Small texts are not cached: they change
** often and compile quickly.
*/
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utime.h>

#include "base/files/cache_limit.h"
#include "base/files/file.h"
#include "base/files/file_ownership.h"
#include "base/files/folders.h"
#include "msl/clang/parts.h"
#include "msl/module.h"

#define SMALL_TEXT (16u << 10)
#define MOST_BYTES ((size_t)64 << 20) /* of a file */

typedef struct Head { /* of a file; then Clang's messages, then the bitcode */
  char magic[8];
  uint64_t sum, said, bitcode;
} Head;

static const char MAGIC[8] = "mettle1";

/* --------------------------------------------------------------------- sums */

/* Different rotations 'turn' give practically independent hashes. */
static uint64_t mix(uint64_t h, const void *bytes, size_t n, unsigned turn) {
  const unsigned char *p = bytes;
  h ^= n;
  for (uint64_t w; n; p += sizeof w) {
    size_t k = n < sizeof w ? n : sizeof w;
    w = 0;
    memcpy(&w, p, k);
    h = (h ^ (w << turn | w >> (64 - turn))) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
    n -= k;
  }
  return h;
}

/* The name of the cache file; false: no cache folder, or a small text. */
static bool name_of(mt_ClangStep step, bool safe, const mt_Str *text,
                    char out[PATH_MAX]) {
  const char *cache = mt_dir_cache(), *header;
  if (text->length < SMALL_TEXT || !cache ||
      mt_header_name(safe, &header, NULL) != MT_OK || !header[0])
    return false;
  uint64_t key[2];
  for (int i = 0; i < 2; i++) {
    unsigned turn = i ? 23 : 41;
    key[i] = mix((uint64_t)step + 1, header, strlen(header), turn);
    key[i] = mix(key[i], text->text, text->length, turn);
  }
  int n =
      snprintf(out, PATH_MAX, "%s/" MT_CACHE_CLANG "%016" PRIx64 "%016" PRIx64,
               cache, key[0], key[1]);
  return n > 0 && n < PATH_MAX - 32;
}

static uint64_t sum_of(const Head *h, const char *body) {
  return mix(h->said, body, h->said + h->bitcode, 17);
}

/* ------------------------------------------------------------------ reading */

static bool unpack(const mt_Str *all, mt_Str *bitcode, mt_Str *said) {
  Head h;
  if (all->length < sizeof h) return false;
  memcpy(&h, all->text, sizeof h);
  const char *body = all->text + sizeof h;
  size_t length = all->length - sizeof h;
  if (memcmp(h.magic, MAGIC, sizeof h.magic) != 0 || h.said > length ||
      h.bitcode != length - h.said || h.sum != sum_of(&h, body))
    return false;
  mt_str_add_bytes(said, body, h.said);
  mt_str_add_bytes(bitcode, body + h.said, h.bitcode);
  return !said->failed && !bitcode->failed;
}

bool mt_bitcode_cache_read(mt_ClangStep step, bool safe, const mt_Str *text,
                           mt_Str *bitcode, mt_Str *said) {
  char path[PATH_MAX];
  mt_Str all = MT_STR_INIT;
  bool ok = name_of(step, safe, text, path) &&
            mt_file_read_owned(path, MOST_BYTES, &all, NULL) == MT_OK &&
            unpack(&all, bitcode, said);
  if (ok) utime(path, NULL); /* eviction is least recently used */
  mt_str_free(&all);
  return ok;
}

/* ------------------------------------------------------------------ writing */

void mt_bitcode_cache_write(mt_ClangStep step, bool safe, const mt_Str *text,
                            const mt_Str *bitcode, const mt_Str *said) {
  char path[PATH_MAX];
  mt_Str all = MT_STR_INIT;
  Head h = {.said = said->length, .bitcode = bitcode->length};
  if (h.said + h.bitcode > (uint64_t)mt_cache_limit() / 2 ||
      h.said + h.bitcode > MOST_BYTES / 2 || !name_of(step, safe, text, path))
    return;
  memcpy(h.magic, MAGIC, sizeof h.magic);
  mt_str_add_bytes(&all, (const char *)&h, sizeof h);
  mt_str_add_bytes(&all, mt_str_text(said), said->length);
  mt_str_add_bytes(&all, mt_str_text(bitcode), bitcode->length);
  if (!all.failed) {
    h.sum = sum_of(&h, all.text + sizeof h);
    memcpy(all.text, &h, sizeof h);
    mt_file_write(path, all.text, all.length, 0600, NULL);
    mt_cache_written(all.length);
  }
  mt_str_free(&all);
}
