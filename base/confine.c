/*
** confine.c - the folders that this process may still read and write.
**
** The one idea: a path is resolved, links included, and must then lie in one of
** the folders, which are resolved too. For a file that does not exist yet, its
** folder is resolved instead.
*/
#define _GNU_SOURCE
#include "base/confine.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__) && __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#define MOST 8

static struct {
  bool on;
  char *readable[MOST], *writable[MOST], *own[MOST]; /* resolved */
} confined;

/* ------------------------------------------------------------ by the kernel */

#if defined(__linux__) && __has_include(<linux/landlock.h>) && \
    defined(SYS_landlock_create_ruleset)
#define WRITES                                                     \
  (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | \
   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |     \
   LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |   \
   LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM)

static void allow_beneath(int rules, const char *folder) {
  struct landlock_path_beneath_attr beneath = {.allowed_access = WRITES};
  beneath.parent_fd = open(folder, O_PATH | O_CLOEXEC);
  if (beneath.parent_fd < 0) return;
  syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &beneath,
          0);
  close(beneath.parent_fd);
}

/* On a kernel without Landlock, only the checks of paths below apply. */
static void tell_kernel(void) {
  struct landlock_ruleset_attr handled = {.handled_access_fs = WRITES};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &handled,
                           sizeof handled.handled_access_fs, 0);
  if (rules < 0) return;
  for (size_t i = 0; i < MOST && confined.writable[i]; i++)
    allow_beneath(rules, confined.writable[i]);
  for (size_t i = 0; i < MOST && confined.own[i]; i++)
    allow_beneath(rules, confined.own[i]);
  allow_beneath(rules, "/dev");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    syscall(SYS_landlock_restrict_self, rules, 0);
  close(rules);
}
#else
static void tell_kernel(void) {}
#endif

/* -------------------------------------------------------------------- paths */

static void resolve(const char *const *from, char **to) {
  for (size_t n = 0; *from && n < MOST - 1; from++)
    if ((to[n] = realpath(*from, NULL)) != NULL) n++;
}

void mt_confine(const char *const *readable, const char *const *writable,
                const char *const *own) {
  if (confined.on) return;
  resolve(readable, confined.readable);
  resolve(writable, confined.writable);
  resolve(own, confined.own);
  confined.on = true;
  tell_kernel();
}

static bool is_in(const char *path, char *const *folders) {
  for (size_t i = 0; i < MOST && folders[i]; i++) {
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
  if (!confined.on) return true;
  if (!resolve_path(path, whole)) return false;
  return is_in(whole, confined.writable) ||
         (!to_write &&
          (is_in(whole, confined.readable) || is_in(whole, confined.own)));
}

bool mt_confine_allows_own(const char *path) {
  char whole[PATH_MAX];
  if (!confined.on) return true;
  return resolve_path(path, whole) &&
         (is_in(whole, confined.writable) || is_in(whole, confined.own));
}
