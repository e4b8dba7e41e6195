/*
** confine.c - the folders that this process may still read and write, told to
** Mettle's own checks and to the kernel.
*/
#define _GNU_SOURCE
#include "base/files/confine.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/confined_paths.h"
#include "base/files/folders.h"
#include "base/files/landlock.h"

#define MOST 8

/* Of the process, which cannot leave it: the kernel's rules hold for good. */
static bool by_kernel;
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
  const mt_ConfinedPaths *paths = mt_confined_paths();
  allow_all(rules, paths->readable, MT_LANDLOCK_READ);
  allow_all(rules, paths->writable, MT_LANDLOCK_WRITE);
  allow_all(rules, paths->own, MT_LANDLOCK_WRITE);
  by_kernel = mt_landlock_enter(rules);
}

void mt_confine_need(const char *program) {
  if (program && needed_count < MOST && !mt_confined_paths())
    needed[needed_count++] = program;
}

const char *mt_confine_weakness(void) {
  if (mt_confined_paths() ? by_kernel : mt_landlock_there()) return NULL;
#ifdef __linux__
  return "this kernel does not offer Landlock (Linux 5.13 or newer has it, if "
         "it is not switched off): files elsewhere are refused by Mettle's own "
         "checks alone, not by the system";
#else
  return "this system has no Landlock, which Linux has: files elsewhere are "
         "refused by Mettle's own checks alone, not by the system";
#endif
}

/* ----------------------------------------------------------------- entering */

void mt_confine(const char *const *readable, const char *const *writable,
                const char *const *own) {
  if (mt_confined_paths_set(readable, writable, own)) tell_kernel();
}
