/*
** confined_paths.c - is a path in one of the folders?
**
** The one idea: a path is resolved, links included, and must then lie in one of
** the folders, which are resolved too. For a file that does not exist yet, its
** folder is resolved instead.
*/
#include "base/files/confined_paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the process: nothing in it may leave, whichever part opens a file. */
static bool on;
static mt_ConfinedPaths confined;

/* ---------------------------------------------------------------- the lists */

static void resolve(const char *const *from, const char **to) {
  for (size_t n = 0; *from && n < MT_CONFINED_PATHS_MOST - 1; from++)
    if ((to[n] = realpath(*from, NULL)) != NULL) n++;
}

bool mt_confined_paths_set(const char *const *readable,
                           const char *const *writable,
                           const char *const *own) {
  if (on) return false;
  resolve(readable, confined.readable);
  resolve(writable, confined.writable);
  resolve(own, confined.own);
  return on = true;
}

const mt_ConfinedPaths *mt_confined_paths(void) {
  return on ? &confined : NULL;
}

/* ---------------------------------------------------------------- questions */

static bool is_in(const char *path, const char *const *folders) {
  for (size_t i = 0; folders[i]; i++) {
    size_t n = strlen(folders[i]);
    if (strncmp(path, folders[i], n) == 0 &&
        (path[n] == '/' || path[n] == '\0'))
      return true;
  }
  return false;
}

/* The folder that 'path' is in, resolved. */
static bool resolve_folder(const char *path, char out[PATH_MAX]) {
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/');
  const char *last = slash ? slash + 1 : path;
  if (strcmp(last, "..") == 0) return false;
  int n = slash == NULL
              ? snprintf(folder, sizeof folder, ".")
              : snprintf(folder, sizeof folder, "%.*s",
                         slash == path ? 1 : (int)(slash - path), path);
  return n > 0 && (size_t)n < sizeof folder && realpath(folder, out) != NULL;
}

/* What 'path' leads to, or the folder of a new file. */
static bool resolve_path(const char *path, char out[PATH_MAX]) {
  char *target = realpath(path, NULL); /* NULL: new, or a dangling link */
  bool known = target != NULL;
  if (known) snprintf(out, PATH_MAX, "%s", target);
  free(target);
  return known || resolve_folder(path, out);
}

bool mt_confine_allows(const char *path, bool to_write) {
  char whole[PATH_MAX];
  if (!on) return true;
  if (!resolve_path(path, whole)) return false;
  return is_in(whole, confined.writable) ||
         (!to_write &&
          (is_in(whole, confined.readable) || is_in(whole, confined.own)));
}

bool mt_confine_allows_own(const char *path) {
  char whole[PATH_MAX];
  if (!on) return true;
  return resolve_path(path, whole) &&
         (is_in(whole, confined.writable) || is_in(whole, confined.own));
}
