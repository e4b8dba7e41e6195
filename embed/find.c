/*
** find.c - where Mettle's program is, seen from a library in another program.
**
** The one idea: everything else lies relative to the program
** (base/files/file.h), so it is looked for around the library's own file:
** beside it in a build folder, in PREFIX/bin above PREFIX/lib or
** PREFIX/lib/TRIPLET, and in PREFIX/bin above the folder of a Python package. A
** program that has the library linked into it (libmettle.a) may lie anywhere:
** then it is the first mettle of PATH.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/build_id.h"
#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/process/child.h"
#include "base/process/worker_process.h"
#include "base/version.h"
#include "embed/embed.h"

/* (PREFIX/lib/mettle is a folder) */
static bool try_at(const char *folder, size_t length, const char *tail) {
  char path[PATH_MAX];
  struct stat st;
  int n = snprintf(path, sizeof path, "%.*s%s", (int)length, folder, tail);
  if (n <= 0 || (size_t)n >= sizeof path || access(path, X_OK) != 0 ||
      stat(path, &st) != 0 || !S_ISREG(st.st_mode))
    return false;
  mt_program_set(path);
  if (mt_dir_data()) return true;
  mt_program_set("");
  return false;
}

/* The folders from that of the library upwards. */
static bool try_around(const char *library) {
  size_t n = strlen(library);
  for (int up = 0; up < 4; up++) {
    while (n > 0 && library[n - 1] != '/') n--;
    if (n == 0) return false;
    n--;
    if (try_at(library, n, up == 0 ? "/mettle" : "/bin/mettle")) return true;
  }
  return false;
}

static bool try_path(void) {
  const char *at = getenv("PATH");
  while (at && at[0]) {
    size_t n = strcspn(at, ":");
    char folder[PATH_MAX], real[PATH_MAX]; /* links are followed, as in exec */
    int k = snprintf(folder, sizeof folder, "%.*s/mettle", (int)n, at);
    if (n > 0 && k > 0 && (size_t)k < sizeof folder && realpath(folder, real) &&
        try_at(real, strlen(real), ""))
      return true;
    at += n + (at[n] == ':');
  }
  return false;
}

static mt_Status find_program(mt_Error *err) {
  const char *said = getenv("METTLE_PROGRAM");
  Dl_info here;
  char real[PATH_MAX];
  if (said && said[0] && try_at(said, strlen(said), "")) return MT_OK;
  if (said && said[0])
    return mt_error(err, MT_FAIL,
                    "METTLE_PROGRAM is %s, where there is no mettle with its "
                    "data", said);
  if (dladdr((void *)(uintptr_t)mettle_version, &here) && here.dli_fname &&
      realpath(here.dli_fname, real) && try_around(real))
    return MT_OK;
  if (try_path()) return MT_OK;
  return mt_error(err, MT_FAIL,
                  "the program mettle, which compiles for the library, was "
                  "not found near it nor in PATH: install Mettle, or set "
                  "METTLE_PROGRAM to its path");
}

/* Is the id of this build, with the zero after it, in the program's file? */
static bool has_build_id(const char *program) {
  int fd;
  size_t size;
  if (mt_file_open_plain(program, &fd, &size, NULL) != MT_OK) return false;
  void *bytes =
      size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  close(fd);
  if (bytes == MAP_FAILED) return false;
  bool has = memmem(bytes, size, mt_build_id, strlen(mt_build_id) + 1) != NULL;
  munmap(bytes, size);
  return has;
}

/* Start the program and ask: it may be a script that starts another. */
static mt_Status ask_build_id(const char *program, mt_Error *err) {
  const char *argv[] = {program, MT_WORKER_OPTION, MT_BUILD_ID_WORD, NULL};
  mt_ChildLimits limits = {.seconds = 10, .output = 4096};
  mt_Str said = MT_STR_INIT, ignored = MT_STR_INIT;
  mt_Child *child;
  int code;
  mt_Status status = mt_child_start(argv, &limits, &child, err);
  if (status == MT_OK)
    status = mt_child_finish(child, NULL, 0, &said, &ignored, &code, err);
  const char *id = mt_str_text(&said);
  size_t n = strlen(mt_build_id);
  if (status == MT_OK && (strncmp(id, mt_build_id, n) != 0 || id[n] != '\n'))
    status = mt_error(err, MT_FAIL,
                      "libmettle and %s are of different builds: install "
                      "both from one, or set METTLE_PROGRAM to the mettle of "
                      "this library", program);
  mt_str_free(&said);
  mt_str_free(&ignored);
  return status;
}

mt_Status mt_embed_find_program(mt_Error *err) {
  mt_Status status = find_program(err);
  if (status == MT_OK && !has_build_id(mt_program_path()))
    status = ask_build_id(mt_program_path(), err);
  return status;
}

const char *mettle_version(void) { return MT_VERSION; }

unsigned mettle_abi(void) { return METTLE_ABI; }
