/*
** pch_checksum.c - verifies that the precompiled headers are undamaged.
**
** The one idea: next to the header lies a small file with its checksum and its
** file metadata at that time (device, inode, size, times). As long as the
** metadata is the same, the header was not written to and is not read;
** otherwise its checksum is computed, and the small file is rewritten if it
** matches.
*/
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/file_ownership.h"
#include "msl/clang/parts.h"

#ifdef __APPLE__
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

#define LANES 4
#define SUM_LIMIT 256
#define HEADER_LIMIT ((size_t)256 << 20)

typedef struct Sum {
  uint64_t bytes;    /* checksum of the contents */
  uint64_t told[7];  /* metadata from lstat */
} Sum;

/* Four independent multiplications at a time, to hide their latency: some
** gigabytes a second. */
static uint64_t add_up(const char *p, size_t size) {
  uint64_t h[LANES] = {size, 1, 2, 3}, w[LANES];
  for (; size; p += sizeof w) {
    size_t n = size < sizeof w ? size : sizeof w;
    memset(w, 0, sizeof w);
    memcpy(w, p, n);
    for (int i = 0; i < LANES; i++)
      h[i] = (h[i] ^ w[i]) * 0x9fb21c651e98df25u, h[i] ^= h[i] >> 29;
    size -= n;
  }
  for (int i = 1; i < LANES; i++)
    h[0] = (h[0] ^ h[i]) * 0xff51afd7ed558ccdu, h[0] ^= h[0] >> 32;
  return h[0];
}

static bool tell(const char *path, Sum *out) {
  struct stat s;
  if (lstat(path, &s) != 0 || !mt_file_is_owned(&s)) return false;
  const uint64_t told[7] = {
      (uint64_t)s.st_dev,          (uint64_t)s.st_ino,
      (uint64_t)s.st_size,         (uint64_t)s.st_mtim.tv_sec,
      (uint64_t)s.st_mtim.tv_nsec, (uint64_t)s.st_ctim.tv_sec,
      (uint64_t)s.st_ctim.tv_nsec};
  memcpy(out->told, told, sizeof told);
  return true;
}

static bool same_told(const Sum *a, const Sum *b) {
  return memcmp(a->told, b->told, sizeof a->told) == 0;
}

/* Metadata and checksum of one file. */
static bool read_whole(const char *path, Sum *out) {
  mt_Str all = MT_STR_INIT;
  bool ok =
      tell(path, out) &&
      mt_file_read_owned(path, HEADER_LIMIT, &all, NULL) == MT_OK;
  if (ok) out->bytes = add_up(mt_str_text(&all), all.length);
  mt_str_free(&all);
  return ok;
}

/* "…/msl-….pch" has its checksum in "…/msl-….sum". */
static bool sum_name(const char *path, char out[PATH_MAX]) {
  size_t n = strlen(path);
  if (n < 4 || n >= PATH_MAX) return false;
  memcpy(out, path, n - 3);
  memcpy(out + n - 3, "sum", 4);
  return true;
}

static bool read_sum(const char *path, Sum *out) {
  char name[PATH_MAX];
  mt_Str text = MT_STR_INIT;
  uint64_t *t = out->told;
  bool ok =
      sum_name(path, name) &&
      mt_file_read_owned(name, SUM_LIMIT, &text, NULL) == MT_OK &&
      sscanf(mt_str_text(&text),
             "sum %" SCNx64 " file %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
             " %" SCNu64 " %" SCNu64 " %" SCNu64 " end",
             &out->bytes, &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6]) == 8;
  mt_str_free(&text);
  return ok;
}

static void write_sum(const char *path, const Sum *s) {
  char name[PATH_MAX];
  mt_Str text = MT_STR_INIT;
  mt_str_addf(&text, "sum %" PRIx64 " file", s->bytes);
  for (int i = 0; i < 7; i++) mt_str_addf(&text, " %" PRIu64, s->told[i]);
  mt_str_add(&text, " end\n");
  if (sum_name(path, name) && !text.failed)
    mt_file_write(name, text.text, text.length, 0600, NULL);
  mt_str_free(&text);
}

static Sum last; /* the last one verified; also serves if no .sum can be kept */

void mt_header_sign(const char *path) {
  Sum now;
  if (!read_whole(path, &now)) return;
  write_sum(path, &now);
  last = now;
}

bool mt_header_is_whole(const char *path, bool thoroughly) {
  Sum kept, now;
  if (!tell(path, &now)) return false;
  if (!thoroughly && same_told(&now, &last)) return true;
  if (!read_sum(path, &kept)) return false;
  bool as_told = same_told(&now, &kept);
  if (thoroughly || !as_told) {
    if (!read_whole(path, &now) || now.bytes != kept.bytes) return false;
    if (!as_told) write_sum(path, &now);
  }
  last = now;
  return true;
}
