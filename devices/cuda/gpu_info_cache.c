/*
** gpu_info_cache.c - what the driver said of a GPU in an earlier session, so
** that opening the device need not wait for it (the driver takes some tenths of
** a second).
**
** A file in the cache folder: a key, which names everything that the answer
** depends on, and the facts. It holds no code, so that a wrong one can do no
** more harm than a wrong name or limit, until the driver has spoken.
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/version.h"
#include "devices/cuda/gpu.h"

extern char **environ;

/* The driver's version, or the file of the library that stands in for it. */
static bool add_driver(mt_Str *key) {
  const char *named = getenv("METTLE_CUDA_DRIVER");
  struct stat st;
  mt_Error ignored;
  if (!named || !named[0])
    return mt_file_read("/proc/driver/nvidia/version", 4096, key, &ignored) ==
           MT_OK;
  if (stat(named, &st) != 0) return false;
  mt_str_addf(key, "%s %lld %lld %ld\n", named, (long long)st.st_size,
              (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
  return true;
}

/* CUDA_VISIBLE_DEVICES and others change which GPUs there are. */
static bool make_key(unsigned number, mt_Str *key) {
  mt_str_addf(key, "mettle %s, GPU %u, %zu\n", MT_VERSION, number,
              sizeof(mt_GpuFacts));
  for (char **e = environ; *e; e++)
    if (mt_starts(*e, "CUDA_")) mt_str_addf(key, "%s\n", *e);
  return add_driver(key) && !key->failed;
}

static bool make_path(unsigned number, char *out, size_t size) {
  const char *cache = mt_dir_cache();
  if (cache) snprintf(out, size, "%s/cuda-%u", cache, number);
  return cache != NULL;
}

bool mt_cuda_recall(unsigned number, mt_GpuFacts *out) {
  char path[4096];
  mt_Str key = MT_STR_INIT, file = MT_STR_INIT;
  mt_Error ignored;
  bool found = make_key(number, &key) && make_path(number, path, sizeof path) &&
               mt_file_read(path, 65536, &file, &ignored) == MT_OK &&
               file.length == key.length + sizeof *out &&
               memcmp(file.text, key.text, key.length) == 0;
  if (found) {
    memcpy(out, file.text + key.length, sizeof *out);
    out->title[sizeof out->title - 1] = 0;
  }
  mt_str_free(&key);
  mt_str_free(&file);
  return found;
}

void mt_cuda_remember(unsigned number, const mt_GpuFacts *facts) {
  char path[4096];
  mt_Str key = MT_STR_INIT;
  mt_Error ignored;
  if (make_key(number, &key) && make_path(number, path, sizeof path)) {
    mt_str_add_bytes(&key, facts, sizeof *facts);
    if (!key.failed) mt_file_write(path, key.text, key.length, 0600, &ignored);
  }
  mt_str_free(&key);
}

void mt_cuda_unlearn(unsigned number) {
  char path[4096];
  if (make_path(number, path, sizeof path)) unlink(path);
}
