/*
** confine.c - the folders that this process may still read and write.
**
** The one idea: a path is resolved, links included, and must then lie in one of
** the folders, which are resolved too. For a file that does not exist yet, its
** folder is resolved instead.
*/
#define _GNU_SOURCE
#include "base/files/confine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/files/landlock.h"

#define MOST 8

static struct {
  bool on, by_kernel;
  char *readable[MOST], *writable[MOST], *own[MOST]; /* resolved */
} confined;

static const char *needed[MOST]; /* programs; their callers keep the names */
static size_t needed_count;

/* ------------------------------------------------------------ by the kernel */

/* What a program needs that is no one's secret. Of /proc and /sys only what the
** machine is, nothing of processes; of /dev nothing that stores. */
static const char *const libraries[] = {
    "/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64",
    "/usr/libexec", "/usr/local/lib", "/usr/local/lib64", "/nix/store",
    "/gnu/store", "/home/linuxbrew/.linuxbrew", "/etc/ld.so.cache",
    "/etc/ld.so.preload", NULL};
static const char *const facts[] = {
    "/usr/share/zoneinfo", "/usr/share/locale", "/etc/localtime",
    "/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/kernel",
    "/proc/sys/vm", "/sys/devices/system", "/sys/fs/cgroup", NULL};
static const char *const streams[] = {"/dev/null", "/dev/zero", "/dev/full",
                                      "/dev/random", "/dev/urandom", NULL};

static void allow_all(int rules, const char *const *paths,
                      mt_LandlockRights rights) {
  for (; *paths; paths++) mt_landlock_allow(rules, *paths, rights);
}

/* PREFIX/bin/clang, and PREFIX/lib, where its libraries are. */
static void allow_program(int rules, const char *program) {
  char whole[PATH_MAX], lib[PATH_MAX + 16];
  if (program == NULL || realpath(program, whole) == NULL) return;
  mt_landlock_allow(rules, whole, MT_LANDLOCK_RUN);
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(whole, '/');
    if (slash == NULL || slash == whole) return;
    *slash = '\0';
  }
  snprintf(lib, sizeof lib, "%s/lib", whole);
  mt_landlock_allow(rules, lib, MT_LANDLOCK_RUN);
}

/* The loader looks in these first. */
static void allow_library_path(int rules) {
  const char *named = getenv("LD_LIBRARY_PATH");
  while (named && *named) {
    size_t n = strcspn(named, ":;");
    char *folder = strndup(named, n);
    if (n) mt_landlock_allow(rules, folder, MT_LANDLOCK_RUN);
    free(folder);
    named += n + (named[n] != '\0');
  }
}

static void tell_kernel(void) {
  int rules = mt_landlock_new();
  allow_all(rules, libraries, MT_LANDLOCK_RUN);
  allow_all(rules, facts, MT_LANDLOCK_READ);
  allow_all(rules, streams, MT_LANDLOCK_WRITE);
  allow_library_path(rules);
  mt_landlock_allow(rules, mt_program_path(), MT_LANDLOCK_RUN);
  mt_landlock_allow(rules, mt_dir_lib(), MT_LANDLOCK_RUN);
  for (size_t i = 0; i < needed_count; i++) allow_program(rules, needed[i]);
  allow_all(rules, (const char *const *)confined.readable, MT_LANDLOCK_READ);
  allow_all(rules, (const char *const *)confined.writable, MT_LANDLOCK_WRITE);
  allow_all(rules, (const char *const *)confined.own, MT_LANDLOCK_WRITE);
  confined.by_kernel = mt_landlock_enter(rules);
}

void mt_confine_need(const char *program) {
  if (program && needed_count < MOST && !confined.on)
    needed[needed_count++] = program;
}

const char *mt_confine_weakness(void) {
  if (confined.on ? confined.by_kernel : mt_landlock_there()) return NULL;
#ifdef __linux__
  return "this kernel does not offer Landlock (Linux 5.13 or newer has it, if "
         "it is not switched off): files elsewhere are refused by Mettle's own "
         "checks alone, not by the system";
#else
  return "this system has no Landlock, which Linux has: files elsewhere are "
         "refused by Mettle's own checks alone, not by the system";
#endif
}

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
