/*
** cache_entry.c - a file of the cache folder, see cache_entry.h.
**
** The one idea: a header with the key and a checksum, followed by the content,
** written by rename, so that a reader sees a whole file or none.
*/
#include "base/files/cache_entry.h"

#include <string.h>
#include <unistd.h>
#include <utime.h>

#include "base/files/cache_limit.h"
#include "base/files/file.h"
#include "base/files/file_ownership.h"

typedef struct Header {
  char magic[8];
  mt_Key key;
  uint64_t size; /* of the content that follows */
  mt_Key sum;    /* of key and content */
} Header;

static const char MAGIC[8] = "mettle9";

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
  if (size) memcpy(&w, p, size);
  k->word[0] = mix(a, w);
  k->word[1] = mix(b, w) + k->word[0];
}

void mt_key_add_text(mt_Key *k, const char *text) {
  mt_key_add(k, text ? text : "", text ? strlen(text) + 1 : 0);
}

bool mt_key_equal(const mt_Key *a, const mt_Key *b) {
  return a->word[0] == b->word[0] && a->word[1] == b->word[1];
}

/* ------------------------------------------------------------------- files */

static mt_Key sum_of(const Header *h, const char *content) {
  mt_Key k = h->key;
  mt_key_add(&k, content, h->size);
  return k;
}

static bool is_whole(const mt_Str *all, const mt_Key *key, Header *h) {
  if (all->length < sizeof *h) return false;
  memcpy(h, all->text, sizeof *h);
  if (memcmp(h->magic, MAGIC, sizeof MAGIC) != 0 ||
      !mt_key_equal(&h->key, key) || h->size != all->length - sizeof *h)
    return false;
  mt_Key sum = sum_of(h, all->text + sizeof *h);
  return mt_key_equal(&h->sum, &sum);
}

bool mt_cache_entry_read(const char *path, const mt_Key *key, size_t limit,
                         mt_Str *content) {
  mt_Str all = MT_STR_INIT;
  Header h;
  bool there =
           mt_file_read_owned(path, limit + sizeof h, &all, NULL) == MT_OK,
       whole = there && is_whole(&all, key, &h);
  if (whole) {
    utime(path, NULL);
    mt_str_add_bytes(content, all.text + sizeof h, (size_t)h.size);
  } else if (there) {
    unlink(path);
  }
  mt_str_free(&all);
  return whole && !content->failed;
}

void mt_cache_entry_write(const char *path, const mt_Key *key,
                          const mt_Str *content) {
  Header h = {.key = *key, .size = content->length};
  mt_Str all = MT_STR_INIT;
  memcpy(h.magic, MAGIC, sizeof MAGIC);
  h.sum = sum_of(&h, mt_str_text(content));
  mt_str_add_bytes(&all, (const char *)&h, sizeof h);
  mt_str_add_bytes(&all, mt_str_text(content), content->length);
  if (!all.failed && !content->failed)
    mt_file_write(path, all.text, all.length, 0600, NULL);
  mt_cache_written(all.length);
  mt_str_free(&all);
}
