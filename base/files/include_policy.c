/*
** include_policy.c - which files a source may include, see include_policy.h.
*/
#include "base/files/include_policy.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/advice.h"
#include "base/files/confined_paths.h"


void mt_include_folder(const char *file, char *out, size_t size) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  if (slash == NULL) snprintf(out, size, ".");
  else
    snprintf(out, size, "%.*s", slash == file ? 1 : (int)(slash - file), file);
}

bool mt_include_elsewhere(const char *file, char *whole, size_t size) {
  char folder[PATH_MAX], real[PATH_MAX], here[PATH_MAX];
  mt_include_folder(file, folder, sizeof folder);
  if (realpath(folder, real) == NULL || realpath(".", here) == NULL ||
      strcmp(real, here) == 0)
    return false;
  int n = snprintf(whole, size, "%s", real);
  return n > 0 && (size_t)n < size;
}

/* By its extension. A link and its target are both tested. */
static bool is_header_name(const char *path) {
  static const char *const ends[] = {"h",   "hh",    "hpp",    "hxx",
                                     "inc", "inl",   "ipp",    "tpp",
                                     "def", "metal", "metalh", "msl"};
  const char *slash = strrchr(path, '/'),
             *dot = strrchr(slash ? slash : path, '.');
  for (size_t i = 0; dot && i < sizeof ends / sizeof ends[0]; i++)
    if (strcasecmp(dot + 1, ends[i]) == 0) return true;
  return false;
}

static bool begins_with_folder(const char *path, const char *folder) {
  size_t n = strlen(folder);
  if (n == 1 && folder[0] == '/') return path[0] == '/';
  return strncmp(path, folder, n) == 0 && path[n] == '/';
}

/* Is its resolved path in the folder; or is it a header that was reached by a
** relative path or through the folder? */
static bool is_near(const char *path, const char *real, const char *folder) {
  char whole[PATH_MAX];
  if (realpath(folder, whole) == NULL) return false;
  if (begins_with_folder(real, whole)) return true;
  bool by_way = path[0] != '/' || begins_with_folder(path, folder);
  return by_way && is_header_name(path) && is_header_name(real);
}

bool mt_include_is_file(const char *path, mt_Error *why) {
  struct stat s;
  if (stat(path, &s) != 0 || S_ISREG(s.st_mode) || S_ISDIR(s.st_mode))
    return true;
  mt_error(why, MT_BADARG, "'%s' is %s, not a file, and cannot be included",
           path,
           S_ISFIFO(s.st_mode)   ? "a pipe"
           : S_ISSOCK(s.st_mode) ? "a socket"
                                 : "a device");
  return false;
}

bool mt_include_allows(const mt_IncludePolicy *near, const char *path,
                       mt_Error *why) {
  char real[PATH_MAX], folder[PATH_MAX];
  if (!mt_include_is_file(path, why)) return false;
  if (realpath(path, real) == NULL) return true;
  if (!mt_confine_allows(real, false)) {
    mt_error(why, MT_BADARG, "'%s' is not included: it is out of reach here",
             path);
    return false;
  }
  mt_include_folder(near->file, folder, sizeof folder);
  if (is_near(path, real, folder)) return true;
  for (size_t i = 0; i < near->dir_count; i++)
    if (is_near(path, real, near->dirs[i])) return true;
  mt_error(why, MT_BADARG,
           "'%s' is not included: it is not in the source's folder, nor in one "
           "that was given (%s), nor a header beside them",
           path, mt_advice()->include);
  return false;
}
