/*
** folders.c - the folders of this user and of this installation.
*/
#include "base/files/folders.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "base/files/file.h"
#include "base/files/file_ownership.h"

/* -------------------------------------------------------------- the program */

static char program_said[PATH_MAX];

void mt_program_set(const char *path) {
  snprintf(program_said, sizeof program_said, "%s", path);
}

const char *mt_program_path(void) {
  static char path[PATH_MAX];
  if (program_said[0]) return program_said;
  if (path[0]) return path;
#ifdef __APPLE__
  char raw[PATH_MAX];
  uint32_t size = sizeof raw;
  if (_NSGetExecutablePath(raw, &size) != 0) return NULL;
  return realpath(raw, path);
#else
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  if (n <= 0) return NULL;
  path[n] = '\0';
  return path;
#endif
}

/* --------------------------------------------------------------- the user's */

/* The user's folder: $VARIABLE/mettle, or ~/FALLBACK/mettle; made if missing.
** If 'refused' is given, no other user may be able to write to the folder;
** '*refused', empty until then, says why it is not used. */
static const char *own_folder(char *buffer, size_t size, const char *variable,
                              const char *fallback, mt_Error *refused) {
  if (buffer[0]) return buffer;
  const char *base = getenv(variable), *home = getenv("HOME");
  int n = -1;
  if (base && base[0] == '/')
    n = snprintf(buffer, size, "%s/mettle", base);
  else if (home && home[0] == '/')
    n = snprintf(buffer, size, "%s/%s/mettle", home, fallback);
  bool safe =
      n > 0 && (size_t)n < size &&
      (!refused || mt_path_is_owned(buffer, refused));
  if (safe && mt_dir_make(buffer, 0700, NULL) == MT_OK &&
      access(buffer, W_OK) == 0 &&
      (!refused || mt_folder_is_owned(buffer, refused)))
    return buffer;
  buffer[0] = '\0';
  return NULL;
}

const char *mt_dir_state(void) {
  static char path[PATH_MAX];
  return own_folder(path, sizeof path, "XDG_STATE_HOME", ".local/state", NULL);
}

static mt_Error cache_refused;

const char *mt_dir_cache(void) {
  static char path[PATH_MAX];
  static bool tried; /* a refusal is final: do not check for every kernel */
  if (tried && cache_refused.text[0]) return NULL;
  tried = true;
  return own_folder(path, sizeof path, "XDG_CACHE_HOME", ".cache",
                    &cache_refused);
}

const char *mt_dir_cache_refused(void) {
  return mt_dir_cache() || cache_refused.text[0] == '\0' ? NULL
                                                         : cache_refused.text;
}

/* ------------------------------------------------------- the installation's */

/* The folder 'up' levels above the program's, with 'tail' appended. */
static bool beside_program(char *out, size_t size, int up, const char *tail) {
  const char *program = mt_program_path();
  if (program == NULL) return false;
  size_t n = strlen(program);
  for (; up >= 0; up--) {
    while (n > 0 && program[n - 1] != '/') n--;
    if (n == 0) return false;
    n--;
  }
  int k = snprintf(out, size, "%.*s%s", (int)n, program, tail);
  return k >= 0 && (size_t)k < size;
}

static bool has_help(const char *folder) {
  char probe[PATH_MAX];
  int n = snprintf(probe, sizeof probe, "%s/lua/reference/help", folder);
  return n > 0 && (size_t)n < sizeof probe && mt_file_exists(probe);
}

const char *mt_dir_data(void) {
  static char path[PATH_MAX];
  if (path[0]) return path;
  const char *named = getenv("METTLE_DATA");
  if (named && named[0] && strlen(named) < sizeof path)
    return strcpy(path, named);
  /* build/mettle, build/san/mettle, PREFIX/bin/mettle */
  if (beside_program(path, sizeof path, 1, "") && has_help(path)) return path;
  if (beside_program(path, sizeof path, 2, "") && has_help(path)) return path;
  if (beside_program(path, sizeof path, 1, "/share/mettle") && has_help(path))
    return path;
  path[0] = '\0';
  return NULL;
}

const char *mt_dir_lib(void) {
  static char path[PATH_MAX];
  if (path[0]) return path;
  const char *named = getenv("METTLE_LIB");
  if (named && named[0] && strlen(named) < sizeof path)
    return strcpy(path, named);
  const char *data = mt_dir_data();
  size_t n = data ? strlen(data) : 0;
  bool installed = n >= 13 && strcmp(data + n - 13, "/share/mettle") == 0;
  if (beside_program(path, sizeof path, installed ? 1 : 0,
                     installed ? "/lib/mettle" : ""))
    return path;
  path[0] = '\0';
  return NULL;
}
