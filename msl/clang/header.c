/*
** header.c - our headers, precompiled once for all kernels.
**
** The one idea: a precompiled header is named by a hash of everything that it
** depends on (our headers' bytes and times, the compiler's file, the flags), so
** it is never stale; it is written to a temporary file and renamed, so that two
** concurrent consoles do no harm. pch_checksum.c verifies its bytes.
*/
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/notice.h"
#include "msl/clang/parts.h"

#define OLDEST_CLANG 20
#define STALE_DAYS 30
#define MOST_HEADERS 32 /* files, with checksums; a header is some 5 MB */
#define DEPTH 4 /* of nested folders among our headers */
#define FIRST 14695981039346656037ull /* FNV-1a */

#ifdef __APPLE__
#define INSTALL "brew install llvm"
#else
#define INSTALL "sudo apt-get install clang-22"
#endif

/* ------------------------------------------------------------ dependencies */

static uint64_t mix(uint64_t h, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211ull;
  return h;
}

static uint64_t mix_file(uint64_t h, const char *path, bool content) {
  struct stat s;
  h = mix(h, path, strlen(path));
  if (stat(path, &s) != 0) return h;
  h = mix(h, &s.st_size, sizeof s.st_size);
  h = mix(h, &s.st_mtime, sizeof s.st_mtime);
  mt_Str text = MT_STR_INIT;
  if (content && mt_file_read(path, 0, &text, NULL) == MT_OK)
    h = mix(h, text.text, text.length);
  mt_str_free(&text);
  return h;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static uint64_t mix_folder(uint64_t h, const char *folder, int depth) {
  struct dirent **entries;
  int n = scandir(folder, &entries, NULL, by_name);
  for (int i = 0; i < n; i++) {
    char path[PATH_MAX];
    struct stat s;
    int k = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.' && k > 0 && (size_t)k < sizeof path &&
        stat(path, &s) == 0)
      h = S_ISDIR(s.st_mode) && depth < DEPTH ? mix_folder(h, path, depth + 1)
                                              : mix_file(h, path, true);
    free(entries[i]);
  }
  if (n >= 0) free(entries);
  return h;
}

static uint64_t dependencies(bool safe) {
  mt_ClangCommand *c = calloc(1, sizeof *c);
  uint64_t h = mix_file(FIRST, mt_clang_path(), false);
  if (c == NULL) return h;
  mt_command_common(c, safe);
  mt_command_args(c);
  for (size_t i = 0; i < c->count; i++)
    h = mix(h, c->args[i], strlen(c->args[i]));
  mt_str_free(&c->kept);
  free(c);
  return mix_folder(h, mt_clang_headers(), 0);
}

/* A cheap hash of sizes and times, independent of the order of readdir; closes
** 'fd'. */
static uint64_t stamp_folder(int fd, int depth) {
  uint64_t sum = FIRST;
  DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
  if (d == NULL && fd >= 0) close(fd);
  for (struct dirent *e; d && (e = readdir(d));) {
    struct stat s;
    if (e->d_name[0] == '.' || fstatat(fd, e->d_name, &s, 0) != 0) continue;
    uint64_t h = mix(mix(FIRST, &s.st_size, sizeof s.st_size), &s.st_mtime,
                     sizeof s.st_mtime);
    if (S_ISDIR(s.st_mode) && depth < DEPTH)
      h = stamp_folder(openat(fd, e->d_name, O_RDONLY | O_CLOEXEC), depth + 1);
    sum += mix(h, &s.st_ino, sizeof s.st_ino);
  }
  if (d) closedir(d);
  return sum;
}

/* Detects an update of Clang or our headers while the console runs; computed
** before every compilation. */
static uint64_t stamp(void) {
  return mix_file(FIRST, mt_clang_path(), false) +
         stamp_folder(open(mt_clang_headers(), O_RDONLY | O_CLOEXEC), 0);
}

/* --------------------------------------------------------- checks of Clang */

static mt_Status check_clang(mt_Error *err) {
  if (access(mt_clang_path(), X_OK) != 0)
    return mt_error(
        err, MT_FAIL,
        "%s is not there: compiling MSL needs Clang; install it with: %s",
        mt_clang_path(), INSTALL);
  if (mt_clang_headers()[0] == '\0' || !mt_file_exists(mt_clang_headers()))
    return mt_error(err, MT_FAIL,
                    "Mettle's headers (msl/include) are not there; METTLE_DATA "
                    "names their folder");
  return MT_OK;
}

/* Checked only when a precompiled header is built: an existing one implies
** it. */
static mt_Status check_version(mt_Error *err) {
  const char *argv[] = {mt_clang_path(), "--version", NULL};
  mt_ChildLimits limits = {MT_CLANG_SECONDS, 0, MT_CLANG_OUTPUT, 0};
  mt_Child *child;
  mt_Str out = MT_STR_INIT, bad = MT_STR_INIT;
  int code;
  mt_Status status = mt_child_start(argv, &limits, &child, err);
  if (status == MT_OK)
    status = mt_child_finish(child, "", 0, &out, &bad, &code, err);
  const char *v =
      status == MT_OK ? strstr(mt_str_text(&out), "version ") : NULL;
  int major = v ? atoi(v + 8) : 0;
  bool apple = strncmp(mt_str_text(&out), "Apple", 5) == 0;
  if (status == MT_OK && (major < OLDEST_CLANG || apple))
    status = mt_error(err, MT_FAIL,
                      "%s is %s, but compiling MSL needs LLVM's Clang %d or "
                      "newer; install it with: %s",
                      mt_clang_path(),
                      apple ? "Apple's"
                      : v   ? "too old"
                            : "no Clang",
                      OLDEST_CLANG, INSTALL);
  mt_str_free(&out);
  mt_str_free(&bad);
  return status;
}

/* --------------------------------------------------- the precompiled header */

static int is_header(const struct dirent *e) {
  return strncmp(e->d_name, "msl-", 4) == 0;
}

typedef struct Kept {
  char path[PATH_MAX];
  time_t made;
} Kept;

static int newest_first(const void *a, const void *b) {
  time_t x = ((const Kept *)a)->made, y = ((const Kept *)b)->made;
  return (x < y) - (x > y);
}

/* Deletes this process's temporary files, and precompiled headers that are
** older than STALE_DAYS or beyond the MOST_HEADERS newest. */
static void sweep(const char *cache) {
  struct dirent **entries;
  char begun[32];
  int n = scandir(cache, &entries, is_header, NULL);
  if (n < 0) return;
  Kept *all = calloc((size_t)n + 1, sizeof *all);
  snprintf(begun, sizeof begun, ".%ld.tmp", (long)getpid());
  for (int i = 0; i < n; i++) {
    struct stat s;
    if (all)
      snprintf(all[i].path, PATH_MAX, "%s/%s", cache, entries[i]->d_name);
    if (all && stat(all[i].path, &s) == 0 && !strstr(entries[i]->d_name, begun))
      all[i].made = s.st_mtime;
    free(entries[i]);
  }
  free(entries);
  if (all) qsort(all, (size_t)n, sizeof *all, newest_first);
  time_t oldest = time(NULL) - (time_t)STALE_DAYS * 86400;
  for (int i = 0; all && i < n; i++)
    if (i >= MOST_HEADERS || all[i].made < oldest) unlink(all[i].path);
  free(all);
}

/* Is the error about the disk, not about the headers? */
static bool could_not_write(const char *said) {
  return strstr(said, "output file") || strstr(said, "No space left") ||
         strstr(said, "temporary file") || strstr(said, "Disk quota");
}

/* '*full': the header could not be written, e.g. for lack of disk space. */
static mt_Status make_header(const char *path, bool safe, bool *full,
                             mt_Error *err) {
  static mt_ClangCommand c;
  c.count = 0;
  mt_str_clear(&c.kept);
  mt_command_common(&c, safe);
  for (size_t i = 0; i < c.count; i++)
    if (c.made[i] == SIZE_MAX && strcmp(c.args[i], "c++") == 0)
      c.args[i] = "c++-header";
  char temporary[PATH_MAX];
  snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
  mt_command_add(&c, "-o");
  mt_command_add(&c, temporary);
  mt_command_add(&c, "-Xclang");
  mt_command_add(&c, "-fpch-instantiate-templates");
  mt_command_made(&c, mt_clang_headers(), "/metal/__precompiled", "");
  mt_ChildLimits limits = {MT_CLANG_SECONDS, MT_CLANG_MEMORY, MT_CLANG_OUTPUT,
                           0};
  mt_Str out = MT_STR_INIT, bad = MT_STR_INIT;
  mt_Child *child;
  int code = -1;
  mt_Status status = mt_child_start(mt_command_args(&c), &limits, &child, err);
  if (status == MT_OK)
    status = mt_child_finish(child, "", 0, &out, &bad, &code, err);
  if (status == MT_OK && code != 0) {
    const char *said = strstr(mt_str_text(&bad), "error: ");
    if (said == NULL) said = mt_str_text(&bad);
    *full = could_not_write(mt_str_text(&bad));
    status =
        mt_error(err, MT_FAIL, "the MSL headers do not compile with %s: %.*s",
                 mt_clang_path(), (int)strcspn(said, "\n"), said);
  }
  if (status == MT_OK &&
      (chmod(temporary, 0600) != 0 || rename(temporary, path) != 0)) {
    status = mt_error(err, MT_FAIL, "%s: %s", path, strerror(errno));
    *full = true;
  }
  if (status != MT_OK) unlink(temporary);
  else mt_header_sign(path);
  mt_str_free(&out);
  mt_str_free(&bad);
  return status;
}

/* A header could not be written: from then on headers are read as text. */
static bool header_full;

mt_Status mt_header_name(bool safe, const char **path, mt_Error *err) {
  static char paths[2][PATH_MAX];
  static uint64_t stamps[2];
  const char *cache = mt_dir_cache();
  uint64_t now = stamp();
  *path = paths[safe];
  if (paths[safe][0] && stamps[safe] == now) return MT_OK;
  stamps[safe] = now;
  paths[safe][0] = '\0';
  mt_Status status = check_clang(err);
  if (status != MT_OK || cache == NULL || header_full) return status;
  int n = snprintf(paths[safe], PATH_MAX, "%s/msl-%016" PRIx64 ".pch", cache,
                   dependencies(safe));
  if (n < 0 || n >= PATH_MAX - 32) paths[safe][0] = '\0';
  return MT_OK;
}

static mt_Status make(const char *path, bool safe, mt_Error *err) {
  mt_notice("Preparing the Metal headers, once for this version…");
  mt_Status status = check_version(err);
  if (status == MT_OK) status = make_header(path, safe, &header_full, err);
  mt_notice(NULL);
  sweep(mt_dir_cache());
  return status;
}

/* Kernels still compile, but slowly: tell the user why. */
static void say_refused(void) {
  static bool said;
  const char *why = said ? NULL : mt_dir_cache_refused();
  said = true;
  mt_Str text = MT_STR_INIT;
  if (why)
    mt_str_addf(
        &text, "compiled kernels are not kept, and compiling is slow: %s", why);
  if (why) mt_warning(mt_str_text(&text));
  mt_str_free(&text);
}

mt_Status mt_header_need(bool safe, const char **path, mt_Error *err) {
  mt_Status status = mt_header_name(safe, path, err);
  if (**path == '\0') say_refused();
  if (status != MT_OK || **path == '\0') return status;
  if (!header_full && mt_header_is_whole(*path, false)) return MT_OK;
  if (!header_full) status = make(*path, safe, err);
  if (header_full) *path = "";
  return header_full ? MT_OK : status;
}

/* A header with the right checksum may still be another Clang version's. */
static bool speaks_of_header(const char *said) {
  return strstr(said, "precompiled") || strstr(said, "PCH file") ||
         strstr(said, "AST file") || strstr(said, ".pch'");
}

bool mt_header_doubt(bool safe, const char *said) {
  const char *path;
  if (mt_header_name(safe, &path, NULL) != MT_OK || path[0] == '\0' ||
      header_full)
    return false;
  if (mt_header_is_whole(path, true) && !speaks_of_header(said)) return false;
  return make(path, safe, NULL) == MT_OK || header_full;
}
