/*
** clang.c - Clang as a child process, with our headers precompiled.
**
** The one idea: a precompiled header is named by a hash of everything that it
** depends on (our headers' bytes and times, the compiler's file, the flags), so
** it is never stale and never needs to be checked; it is written beside its
** place and renamed, so that two consoles at once do no harm.
**
** Loading Clang takes longer than its work on a learner's kernel. So one stays
** loaded once anything was compiled (mt_clang_stay), and the others are forked
** from it. And the one that makes bitcode is given nothing of the person's but
** its input, so it can be started ahead and wait for that (mt_clang_ahead). Should
** Mettle end, their input ends and so do they. This file is part of the program and not of
** host.so, so that Clang can load while host.so is being loaded.
*/
#include "msl/clang.h"

#include <ctype.h>
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

#include "base/file.h"
#include "base/notice.h"

#ifndef MT_CLANG
#define MT_CLANG "clang"
#endif
#define MEMORY_LIMIT ((size_t)6 << 30)
#define OUTPUT_LIMIT ((size_t)256 << 20)
#define TEXT_LIMIT ((size_t)12 << 20) /* that macros and includes may add to a source and its double */
#define TIME_LIMIT 60.0
#define EXPAND_LIMIT 15.0 /* for macros; a library of thousands of lines takes 0.1 s */
#define OLDEST_CLANG 19
#define STALE_DAYS 30
#define MOST_HEADERS 16 /* precompiled; each is some 5 MB */
#define DEPTH 4 /* of the folders in that of our headers */
#define FIRST 14695981039346656037ull /* FNV-1a */
#define MOST_LOADS 16 /* of the Clang that stays: more would mean that none lives long */

#ifdef __APPLE__
#define INSTALL "brew install llvm"
#else
#define INSTALL "sudo apt-get install clang-22"
#endif

/* What both steps and the precompiled header have in common. */
static const char *const common_flags[] = {
    "-x", "c++", "-std=c++17", "-target", "nvptx64", "-nostdinc", "-O1",
    "-Xclang", "-disable-llvm-passes", "-fno-exceptions", "-fno-rtti",
    "-fno-strict-aliasing", "-fno-strict-float-cast-overflow", "-fno-discard-value-names", "-fdeclspec",
    "-flax-vector-conversions=none", "-ffp-contract=fast", "-fno-math-errno",
    "-fno-threadsafe-statics", "-fno-use-cxa-atexit", "-gcolumn-info",
    "-g", "-fstandalone-debug", "-fno-caret-diagnostics", "-fno-color-diagnostics",
    "-fno-diagnostics-show-option", "-fno-elide-type", "-ferror-limit=30", "-ftemplate-backtrace-limit=20",
    "-fconstexpr-steps=10000000", "-Wno-everything",
    /* what Apple's compiler says too */
    "-Wuninitialized", "-Wsometimes-uninitialized", "-Wunused-variable",
    "-Wreturn-type", "-Wparentheses", "-Wtautological-compare", "-Warray-bounds",
    "-Wdivision-by-zero", "-Wshift-count-overflow", "-Wshift-count-negative",
    "-Wliteral-conversion", "-Wconstant-conversion", "-Wunused-value",
    "-Wlogical-op-parentheses",
    "-Werror=return-type",
    /* not an error in MSL, but one in C++ */
    "-Wno-c++11-narrowing", "-Wno-register", "-Wno-static-float-init",
    "-Wno-implicit-fallthrough", "-Wno-parentheses-equality",
    "-D__METAL__=1", "-D__METAL_VERSION__=320", "-D__METAL_MACOS__=1",
    "-D__METAL_MAYBE_FAST_MATH__=0", "-D__METAL_FAST_MATH__=1",
    "-D__METAL_PRECISE_MATH__=2", "-D__HAVE_BFLOAT__=1", "-D__METTLE__=1", NULL};

static const char *const fast_flags[] = {
    "-fassociative-math", "-freciprocal-math", "-fno-signed-zeros",
    "-fno-trapping-math", "-fapprox-func", "-D__FAST_MATH__=1", NULL};

/* ------------------------------------------------------------- command lines */

#define MAX_ARGS 512

typedef struct Command {
  const char *args[MAX_ARGS];
  size_t count;
  mt_Str kept; /* offsets into it are in 'made' until the end */
  size_t made[MAX_ARGS];
} Command;

static void add(Command *c, const char *arg) {
  if (c->count < MAX_ARGS - 1) {
    c->made[c->count] = SIZE_MAX;
    c->args[c->count++] = arg;
  }
}

static void add_made(Command *c, const char *a, const char *b, const char *d) {
  if (c->count >= MAX_ARGS - 1) return;
  c->made[c->count] = c->kept.length;
  mt_str_addf(&c->kept, "%s%s%s", a, b, d);
  mt_str_add_char(&c->kept, '\0');
  c->args[c->count++] = NULL;
}

static const char *const *command_args(Command *c) {
  for (size_t i = 0; i < c->count; i++)
    if (c->made[i] != SIZE_MAX) c->args[i] = c->kept.text + c->made[i];
  c->args[c->count] = NULL;
  return c->args;
}

static const char *clang_path(void) {
  const char *named = getenv("METTLE_CLANG");
  return named && named[0] ? named : MT_CLANG;
}

const char *mt_clang_headers(void) {
  static char path[PATH_MAX];
  const char *data = mt_dir_data();
  if (path[0] == '\0' && data) snprintf(path, sizeof path, "%s/msl/include", data);
  return path;
}

static void add_common(Command *c, bool safe) {
  add(c, clang_path());
  for (size_t i = 0; common_flags[i]; i++) add(c, common_flags[i]);
  for (size_t i = 0; !safe && fast_flags[i]; i++) add(c, fast_flags[i]);
  add_made(c, "-isystem", mt_clang_headers(), "");
}

/* ----------------------------------------------------------- what it depends on */

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
    if (entries[i]->d_name[0] != '.' && k > 0 && (size_t)k < sizeof path && stat(path, &s) == 0)
      h = S_ISDIR(s.st_mode) && depth < DEPTH ? mix_folder(h, path, depth + 1) : mix_file(h, path, true);
    free(entries[i]);
  }
  if (n >= 0) free(entries);
  return h;
}

static uint64_t dependencies(bool safe) {
  uint64_t h = mix_file(FIRST, clang_path(), false);
  for (size_t i = 0; common_flags[i]; i++) h = mix(h, common_flags[i], strlen(common_flags[i]));
  for (size_t i = 0; fast_flags[i]; i++) h = mix(h, fast_flags[i], strlen(fast_flags[i]));
  h = mix_folder(h, mt_clang_headers(), 0);
  return h * 2 + safe;
}

/* Sizes and times alone, in the order that the disk has them; closes 'fd'. */
static uint64_t stamp_folder(int fd, int depth) {
  uint64_t sum = FIRST;
  DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
  if (d == NULL && fd >= 0) close(fd);
  for (struct dirent *e; d && (e = readdir(d));) {
    struct stat s;
    if (e->d_name[0] == '.' || fstatat(fd, e->d_name, &s, 0) != 0) continue;
    uint64_t h = mix(mix(FIRST, &s.st_size, sizeof s.st_size), &s.st_mtime, sizeof s.st_mtime);
    if (S_ISDIR(s.st_mode) && depth < DEPTH) h = stamp_folder(openat(fd, e->d_name, O_RDONLY | O_CLOEXEC), depth + 1);
    sum += mix(h, &s.st_ino, sizeof s.st_ino);
  }
  if (d) closedir(d);
  return sum;
}

/* Whether an update came while the console runs: asked before every compile. */
static uint64_t stamp(void) {
  return mix_file(FIRST, clang_path(), false) + stamp_folder(open(mt_clang_headers(), O_RDONLY | O_CLOEXEC), 0);
}

/* ---------------------------------------------------------------- is it there */

static mt_Status check_clang(mt_Error *err) {
  if (access(clang_path(), X_OK) != 0)
    return mt_error(err, MT_FAIL, "%s is not there: compiling MSL needs Clang; install it with: %s",
                    clang_path(), INSTALL);
  if (mt_clang_headers()[0] == '\0' || !mt_file_exists(mt_clang_headers()))
    return mt_error(err, MT_FAIL, "Mettle's headers (msl/include) are not there; METTLE_DATA names their folder");
  return MT_OK;
}

/* Asked only when a precompiled header is made: an old one implies it. */
static mt_Status check_version(mt_Error *err) {
  const char *argv[] = {clang_path(), "--version", NULL};
  mt_ChildLimits limits = {TIME_LIMIT, 0, OUTPUT_LIMIT};
  mt_Child *child;
  mt_Str out = MT_STR_INIT, bad = MT_STR_INIT;
  int code;
  mt_Status status = mt_child_start(argv, &limits, &child, err);
  if (status == MT_OK) status = mt_child_finish(child, "", 0, &out, &bad, &code, err);
  const char *v = status == MT_OK ? strstr(mt_str_text(&out), "version ") : NULL;
  int major = v ? atoi(v + 8) : 0;
  bool apple = strncmp(mt_str_text(&out), "Apple", 5) == 0;
  if (status == MT_OK && (major < OLDEST_CLANG || apple))
    status = mt_error(err, MT_FAIL, "%s is %s, but compiling MSL needs Clang %d or newer; install it with: %s",
                      clang_path(), apple ? "Apple's" : v ? "too old" : "no Clang", OLDEST_CLANG, INSTALL);
  mt_str_free(&out);
  mt_str_free(&bad);
  return status;
}

/* ------------------------------------------------------- the precompiled header */

static int is_header(const struct dirent *e) { return strncmp(e->d_name, "msl-", 4) == 0; }

typedef struct Kept {
  char path[PATH_MAX];
  time_t made;
} Kept;

static int newest_first(const void *a, const void *b) {
  time_t x = ((const Kept *)a)->made, y = ((const Kept *)b)->made;
  return (x < y) - (x > y);
}

/* What a Clang of this process had begun to write; and precompiled headers of
** other days or beyond the newest, which no console can still want. */
static void sweep(const char *cache) {
  struct dirent **entries;
  char begun[32];
  int n = scandir(cache, &entries, is_header, NULL);
  if (n < 0) return;
  Kept *all = calloc((size_t)n + 1, sizeof *all);
  snprintf(begun, sizeof begun, ".%ld.tmp", (long)getpid());
  for (int i = 0; i < n; i++) {
    struct stat s;
    if (all) snprintf(all[i].path, PATH_MAX, "%s/%s", cache, entries[i]->d_name);
    if (all && stat(all[i].path, &s) == 0 && !strstr(entries[i]->d_name, begun)) all[i].made = s.st_mtime;
    free(entries[i]);
  }
  free(entries);
  if (all) qsort(all, (size_t)n, sizeof *all, newest_first);
  time_t oldest = time(NULL) - (time_t)STALE_DAYS * 86400;
  for (int i = 0; all && i < n; i++)
    if (i >= MOST_HEADERS || all[i].made < oldest) unlink(all[i].path);
  free(all);
}

/* Does Clang complain of the disk, not of the headers? */
static bool could_not_write(const char *said) {
  return strstr(said, "output file") || strstr(said, "No space left") ||
         strstr(said, "temporary file") || strstr(said, "Disk quota");
}

/* '*full': there is no room to keep it. */
static mt_Status make_header(const char *path, bool safe, bool *full,
                             mt_Error *err) {
  static Command c;
  c.count = 0;
  mt_str_clear(&c.kept);
  add_common(&c, safe);
  for (size_t i = 0; i < c.count; i++)
    if (c.made[i] == SIZE_MAX && strcmp(c.args[i], "c++") == 0) c.args[i] = "c++-header";
  char temporary[PATH_MAX];
  snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
  add(&c, "-o");
  add(&c, temporary);
  add(&c, "-Xclang");
  add(&c, "-fpch-instantiate-templates");
  add_made(&c, mt_clang_headers(), "/metal/__precompiled", "");
  mt_ChildLimits limits = {TIME_LIMIT, MEMORY_LIMIT, OUTPUT_LIMIT};
  mt_Str out = MT_STR_INIT, bad = MT_STR_INIT;
  mt_Child *child;
  int code = -1;
  mt_Status status = mt_child_start(command_args(&c), &limits, &child, err);
  if (status == MT_OK) status = mt_child_finish(child, "", 0, &out, &bad, &code, err);
  if (status == MT_OK && code != 0) {
    const char *said = strstr(mt_str_text(&bad), "error: ");
    if (said == NULL) said = mt_str_text(&bad);
    *full = could_not_write(mt_str_text(&bad));
    status = mt_error(err, MT_FAIL, "the MSL headers do not compile with %s: %.*s", clang_path(),
                      (int)strcspn(said, "\n"), said);
  }
  if (status == MT_OK && rename(temporary, path) != 0) {
    status = mt_error(err, MT_FAIL, "%s: %s", path, strerror(errno));
    *full = true;
  }
  if (status != MT_OK) unlink(temporary);
  mt_str_free(&out);
  mt_str_free(&bad);
  return status;
}

static bool header_full; /* no room for one: once tried in vain, kernels do without */

/* Where it is or is to be; "" where there is no place to keep one. */
static mt_Status name_header(bool safe, const char **path, mt_Error *err) {
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
  int n = snprintf(paths[safe], PATH_MAX, "%s/msl-%016" PRIx64 ".pch", cache, dependencies(safe));
  if (n < 0 || n >= PATH_MAX - 32) paths[safe][0] = '\0';
  return MT_OK;
}

/* '*path' is "" where there is no place to keep one. */
static mt_Status precompiled(bool safe, const char **path, mt_Error *err) {
  mt_Status status = name_header(safe, path, err);
  if (status != MT_OK || **path == '\0') return status;
  if (!header_full && mt_file_exists(*path)) return MT_OK;
  if (!header_full) {
    mt_notice("Preparing the Metal headers, once for this version…");
    status = check_version(err);
    if (status == MT_OK) status = make_header(*path, safe, &header_full, err);
    mt_notice(NULL);
    sweep(mt_dir_cache());
  }
  if (header_full) *path = "";
  return header_full ? MT_OK : status;
}

/* ------------------------------------------------------------------ the steps */

static void add_users(Command *c, const mt_MslOptions *o) {
  if (o->file) {
    const char *slash = strrchr(o->file, '/');
    char folder[PATH_MAX] = ".";
    if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(slash - o->file), o->file);
    if (slash == o->file) strcpy(folder, "/");
    add_made(c, "-iquote", folder, "");
  }
  for (size_t i = 0; i < o->include_dir_count; i++) add_made(c, "-I", o->include_dirs[i], "");
  for (size_t i = 0; i < o->define_count; i++) {
    add(c, "-D");
    const char *value = o->defines[i].value;
    add_made(c, o->defines[i].name, "=", value ? value : "");
  }
}

/* Our headers are empty for the preprocessor: the text goes on to a Clang that
** has them precompiled. metal_math is guarded by METTLE_MATH. */
static void add_guards(Command *c) {
  DIR *d = opendir(mt_clang_headers());
  for (struct dirent *e; d && (e = readdir(d));) {
    char guard[64];
    size_t n = 0;
    if (strncmp(e->d_name, "metal_", 6) != 0) continue;
    for (const char *s = e->d_name + 6; *s && n + 1 < sizeof guard; s++)
      guard[n++] = (char)toupper((unsigned char)*s);
    guard[n] = '\0';
    add_made(c, "-DMETTLE_", guard, "=1");
  }
  if (d) closedir(d);
  add(c, "-DMETTLE_SIMD=1");
}

/* --------------------------------------------- those that are there already */

static mt_Loaded *loaded; /* the Clang that stays; NULL: none */
static bool was_needed;   /* has anything been compiled? */
static struct {
  mt_Child *child;       /* or NULL */
  char header[PATH_MAX]; /* that it has loaded, or will */
} waiting;

/* They would end by themselves, but as orphans, which some containers never
** clear away. */
static void leave(void) {
  mt_child_kill(waiting.child);
  mt_loaded_free(loaded);
  waiting.child = NULL;
  loaded = NULL;
}

static void leave_at_exit(void) {
  static bool told;
  if (!told) told = atexit(leave) == 0;
}

static void drop_unusable(void) {
  if (loaded == NULL || mt_loaded_usable(loaded)) return;
  mt_loaded_free(loaded);
  loaded = NULL;
}

void mt_clang_stay(void) {
  static unsigned times;
  char hook[PATH_MAX];
  const char *lib = mt_dir_lib(), *wanted = getenv("METTLE_LOADED");
  drop_unusable();
  if (loaded || !was_needed || times >= MOST_LOADS || lib == NULL || (wanted && strcmp(wanted, "0") == 0)) return;
  times++;
  leave_at_exit();
  int n = snprintf(hook, sizeof hook, "%s/stay.so", lib);
  if (n > 0 && (size_t)n < sizeof hook) loaded = mt_loaded_new(clang_path(), hook);
}

static mt_Status start(mt_ClangStep step, const mt_MslOptions *o, size_t length, const char *header,
                       mt_Child **out, mt_Error *err) {
  Command *c = calloc(1, sizeof *c);
  if (c == NULL) return mt_error(err, MT_FAIL, "out of memory");
  add_common(c, o->safe_math);
  if (step == MT_CLANG_PREPROCESS) {
    add(c, "-E");
    add_guards(c);
    add_users(c, o);
  } else if (header[0]) {
    add(c, "-include-pch");
    add(c, header);
  } else
    add_made(c, "-include", mt_clang_headers(), "/metal/__all");
  if (step != MT_CLANG_PREPROCESS) {
    add(c, "-Xclang");
    add(c, "-fno-diagnostics-use-presumed-location");
  }
  if (step == MT_CLANG_GENERATE) {
    add(c, "-emit-llvm");
    add(c, "-c");
  } else if (step == MT_CLANG_CHECK)
    add(c, "-fsyntax-only");
  add(c, "-o");
  add(c, "-");
  add(c, "-");
  double most = o->time_limit > 0 ? o->time_limit : TIME_LIMIT;
  if (step == MT_CLANG_PREPROCESS && most > EXPAND_LIMIT) most = EXPAND_LIMIT;
  mt_ChildLimits limits = {most, MEMORY_LIMIT,
                           step == MT_CLANG_PREPROCESS ? TEXT_LIMIT + 2 * length : OUTPUT_LIMIT};
  drop_unusable();
  mt_Loaded *from = loaded && mt_loaded_ready(loaded) ? loaded : NULL;
  mt_Status status = mt_child_start_from(from, command_args(c), &limits, out, err);
  mt_str_free(&c->kept);
  free(c);
  return status;
}

static bool is_waiting(const char *header) {
  return waiting.child && strcmp(waiting.header, header) == 0 && mt_child_alive(waiting.child);
}

void mt_clang_ahead(void) {
  static const mt_MslOptions usual;
  const char *header;
  if (name_header(false, &header, NULL) != MT_OK || is_waiting(header)) return;
  mt_child_kill(waiting.child);
  waiting.child = NULL;
  if (header[0] == '\0' || !mt_file_exists(header)) return;
  leave_at_exit();
  snprintf(waiting.header, sizeof waiting.header, "%s", header);
  start(MT_CLANG_GENERATE, &usual, 0, header, &waiting.child, NULL);
}

bool mt_clang_doubt(bool safe) {
  static bool doubted[2];
  const char *header;
  if (doubted[safe] || name_header(safe, &header, NULL) != MT_OK || header[0] == '\0') return false;
  doubted[safe] = true;
  mt_child_kill(waiting.child);
  waiting.child = NULL;
  if (remove(header) != 0 && errno != ENOENT) header_full = true; /* it stays, so do without */
  return true;
}

mt_Status mt_clang_start(mt_ClangStep step, const mt_MslOptions *o, size_t length,
                         mt_Child **out, mt_Error *err) {
  const char *header;
  *out = NULL;
  mt_Status status = precompiled(o->safe_math, &header, err);
  if (status != MT_OK) return status;
  was_needed = true;
  if (step != MT_CLANG_GENERATE || o->time_limit > 0 || !is_waiting(header))
    return start(step, o, length, header, out, err);
  *out = waiting.child;
  waiting.child = NULL;
  return MT_OK;
}
