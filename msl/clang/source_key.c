/*
** source_key.c - the hash of all that a compilation depends on, see
** source_key.h. It is part of the program: whether Clang will be needed is
** known before host.so is loaded.
*/
#include "msl/clang/source_key.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/files/cache_limit.h"
#include "base/files/file.h"
#include "base/files/folders.h"
#include "msl/clang/parts.h"

static void add_options(mt_Key *k, const mt_MslOptions *o) {
  unsigned flags[] = {o->safe_math, o->version, o->unlinked, o->colour,
                      o->signatures_only};
  mt_key_add(k, flags, sizeof flags);
  mt_key_add_text(k, o->file);
  mt_key_add(k, &o->define_count, sizeof o->define_count);
  for (size_t i = 0; i < o->define_count; i++) {
    mt_key_add_text(k, o->defines[i].name);
    mt_key_add_text(k, o->defines[i].value);
  }
  for (size_t i = 0; i < o->include_dir_count; i++)
    mt_key_add_text(k, o->include_dirs[i]);
}

/* Names of files are relative to this folder, in debug information too. */
static void add_folder(mt_Key *k) {
  char here[PATH_MAX];
  mt_key_add_text(k, getcwd(here, sizeof here));
}

bool mt_source_key(const char *source, size_t length, const mt_MslOptions *o,
                   const mt_NamedFiles *named, mt_Key *key) {
  const char *header; /* its name is a hash of Clang, flags and our headers */
  *key = (mt_Key)MT_KEY_INIT;
  if (mt_dir_cache() == NULL ||
      mt_header_name(o->safe_math, &header, NULL) != MT_OK || !header[0])
    return false;
  mt_NamedFiles *own = named ? NULL : mt_named_files_new(source, length, o);
  if (named == NULL) named = own;
  mt_key_add_text(key, mt_build_id);
  mt_key_add_text(key, header);
  mt_key_add(key, source, length);
  add_options(key, o);
  add_folder(key);
  bool whole = named && mt_named_files_add(named, key);
  mt_named_files_free(own);
  return whole;
}

bool mt_source_key_path(const mt_Key *key, char *out, size_t size) {
  const char *cache = mt_dir_cache();
  int n = cache ? snprintf(out, size,
                           "%s/" MT_CACHE_CLANG "%016" PRIx64 "%016" PRIx64,
                           cache, key->word[0], key->word[1])
                : -1;
  return n > 0 && (size_t)n < size;
}

bool mt_source_is_kept(const char *source, size_t length,
                       const mt_MslOptions *o) {
  char path[PATH_MAX];
  mt_Key key;
  return mt_source_key(source, length, o, NULL, &key) &&
         mt_source_key_path(&key, path, sizeof path) && mt_file_exists(path);
}
