/*
** clang.c - Clang as a child process.
**
** The one idea: loading Clang takes longer than compiling a small kernel. So
** one process stays loaded after the first compilation (mt_clang_stay), and
** later ones are forked from it. The process that generates bitcode depends on
** nothing but its input, so it can be started early and wait for it
** (mt_clang_ahead); and one that waits is forked from, too, so that the
** precompiled headers are loaded once (parked). If Mettle exits, their input is
** closed and they exit too.
*/
#include "msl/clang/clang.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/confine.h"
#include "base/files/folders.h"
#include "base/files/include_policy.h"
#include "msl/clang/parts.h"

/* preprocessed text beyond twice the source's length */
#define TEXT_LIMIT ((size_t)12 << 20)
#define EXPAND_LIMIT 15.0 /* s for preprocessing; a large library takes 0.1 s */
/* s without output: a macro may name a pipe to include */
#define IDLE_LIMIT 5.0
/* restarts of the fork server: more mean that it keeps dying */
#define MOST_LOADS 16
#define MOST_PARKED 64 /* the same of the one with the headers loaded */

/* ---------------------------------------------------------------- the steps */

/* Clang resolves the includes of a text from a pipe relative to its working
** directory. So that is set to the source's folder; msl/includes.c restores the
** file names in its output. */
static void add_folders(mt_ClangCommand *c, const mt_MslOptions *o) {
  char folder[PATH_MAX], here[PATH_MAX];
  bool elsewhere = mt_include_elsewhere(o->file, folder, sizeof folder) &&
                   getcwd(here, sizeof here);
  if (elsewhere)
    mt_command_made(c, "-working-directory=", folder, "");
  else
    mt_include_folder(o->file, folder, sizeof folder);
  if (o->file)
    mt_command_made(c, "-iquote", elsewhere ? "." : folder,
                    ""); /* for headers in other folders */
  for (size_t i = 0; i < o->include_dir_count; i++) {
    const char *dir = o->include_dirs[i][0] ? o->include_dirs[i] : ".";
    bool relative = elsewhere && dir[0] != '/';
    char option[PATH_MAX + 3];
    snprintf(option, sizeof option, "-I%s%s", relative ? here : "",
             relative ? "/" : "");
    mt_command_made(c, option, dir, "");
  }
}

/* The headers do not ask for the version: only the source is told another. */
static void add_version(mt_ClangCommand *c, unsigned version) {
  char number[16];
  if (version == 0) return;
  snprintf(number, sizeof number, "%u", version);
  mt_command_add(c, "-U__METAL_VERSION__");
  mt_command_made(c, "-D__METAL_VERSION__=", number, "");
  if (version < 310) mt_command_add(c, "-U__HAVE_BFLOAT__");
}

static void add_users(mt_ClangCommand *c, const mt_MslOptions *o) {
  add_folders(c, o);
  for (size_t i = 0; i < o->define_count; i++) {
    mt_command_add(c, "-D");
    const char *value = o->defines[i].value;
    mt_command_made(c, o->defines[i].name, "=", value ? value : "");
  }
}

/* Defining their include guards makes our headers empty for the preprocessor:
** the next Clang has them precompiled. metal_math is guarded by METTLE_MATH. */
static void add_guards(mt_ClangCommand *c) {
  DIR *d = opendir(mt_clang_headers());
  for (struct dirent *e; d && (e = readdir(d));) {
    char guard[64];
    size_t n = 0;
    if (strncmp(e->d_name, "metal_", 6) != 0) continue;
    for (const char *s = e->d_name + 6; *s && n + 1 < sizeof guard; s++)
      guard[n++] = (char)toupper((unsigned char)*s);
    guard[n] = '\0';
    mt_command_made(c, "-DMETTLE_", guard, "=1");
  }
  if (d) closedir(d);
  mt_command_add(c, "-DMETTLE_SIMD=1");
}

/* ------------------------------------------------- early started processes */

static mt_ForkServer *loaded; /* the Clang to fork from; NULL: none */
static bool was_needed;   /* has anything been compiled? */
static struct {
  mt_Child *child;       /* or NULL */
  char header[PATH_MAX]; /* the precompiled header it was started with */
} waiting;

static struct {
  mt_ForkServer *server; /* a Clang that generates and waits; NULL: none */
  char header[PATH_MAX]; /* that it has loaded */
  unsigned times;
} parked;

static void unpark(void) {
  mt_fork_server_free(parked.server);
  parked.server = NULL;
}

/* They would exit by themselves, but as orphans, which some containers never
** reap. */
static void leave(void) {
  mt_child_kill(waiting.child);
  unpark();
  mt_fork_server_free(loaded);
  waiting.child = NULL;
  loaded = NULL;
}

void mt_clang_confining(void) {
  leave();
  mt_confine_need(mt_clang_path());
}

static void leave_at_exit(void) {
  static bool told;
  if (!told) told = atexit(leave) == 0;
}

static void drop_unusable(void) {
  if (parked.server && !mt_fork_server_usable(parked.server)) unpark();
  if (loaded == NULL || mt_fork_server_usable(loaded)) return;
  mt_fork_server_free(loaded);
  loaded = NULL;
}

void mt_clang_stay(void) {
  static unsigned times;
  char hook[PATH_MAX];
  const char *lib = mt_dir_lib(), *wanted = getenv("METTLE_LOADED");
  drop_unusable();
  if (loaded || !was_needed || times >= MOST_LOADS || lib == NULL ||
      (wanted && strcmp(wanted, "0") == 0))
    return;
  times++;
  leave_at_exit();
  int n = snprintf(hook, sizeof hook, "%s/stay.so", lib);
  if (n > 0 && (size_t)n < sizeof hook)
    loaded = mt_fork_server_new(mt_clang_path(), hook);
}

bool mt_clang_stays(void) {
  drop_unusable();
  return loaded && mt_fork_server_ready(loaded);
}

/* Is there a name for the standard input? */
static bool is_named(void) {
  static enum { UNKNOWN, YES, NO } named;
  if (named == UNKNOWN) named = access("/dev/fd", X_OK) == 0 ? YES : NO;
  return named == YES;
}

bool mt_clang_is_text(const char *file) {
  return strcmp(file, "<stdin>") == 0 || strcmp(file, MT_CLANG_TEXT) == 0;
}

/* The standard input as the source; or, for generating, as a file that an empty
** one includes: Clang reads its source before it loads the precompiled headers,
** and an included file after that. So one that is started early waits with the
** headers loaded. */
static void add_source(mt_ClangCommand *c, mt_ClangStep step) {
  bool included = step == MT_CLANG_GENERATE && is_named();
  if (included) {
    mt_command_add(c, "-include");
    mt_command_add(c, MT_CLANG_TEXT);
  }
  mt_command_add(c, "-o");
  mt_command_add(c, "-");
  mt_command_add(c, included ? MT_CLANG_AFTER_TEXT : "-");
}

/* The Clang to fork from; NULL: start one. The first runs of a session are
** forked from one that has nothing loaded but itself; for those that follow one
** is parked, whose command line is 'argv'. */
static mt_ForkServer *server_for(mt_ClangStep step, bool safe,
                                 const char *header, const char *const *argv) {
  if (!mt_clang_stays()) return NULL;
  if (step != MT_CLANG_GENERATE || safe || !header[0] || !is_named())
    return loaded;
  if (parked.server && strcmp(parked.header, header) != 0) unpark();
  if (parked.server && mt_fork_server_ready(parked.server))
    return parked.server;
  if (parked.server == NULL && parked.times < MOST_PARKED) {
    parked.times++;
    snprintf(parked.header, sizeof parked.header, "%s", header);
    parked.server = mt_fork_server_park(loaded, argv);
  }
  return loaded;
}

static mt_Status start(mt_ClangStep step, const mt_MslOptions *o, size_t length,
                       const char *header, mt_Child **out, mt_Error *err) {
  mt_ClangCommand *c = calloc(1, sizeof *c);
  if (c == NULL) return mt_error(err, MT_FAIL, "out of memory");
  mt_command_common(c, o->safe_math);
  if (step == MT_CLANG_PREPROCESS) {
    mt_command_add(c, "-E");
    mt_command_add(c, "-H"); /* lists the files it reads */
    mt_command_add(c, "-MD"); /* and those found by __has_include */
    mt_command_add(c, "-MF");
    mt_command_add(c, "-");
    mt_command_add(c, "-MT");
    mt_command_add(c, MT_CLANG_FOUND);
    /* rejects #embed, which Apple's compiler does not have */
    mt_command_add(c, "-Werror=c23-extensions");
    /* of the same group: M(a) of a macro M(x, ...), which that one takes */
    mt_command_add(c, "-Wno-variadic-macro-arguments-omitted");
    mt_command_add(c, "-U__has_embed");
    add_guards(c);
    add_version(c, o->version);
    add_users(c, o);
  } else if (header[0]) {
    mt_command_add(c, "-include-pch");
    mt_command_add(c, header);
  } else
    mt_command_made(c, "-include", mt_clang_headers(), "/metal/__all");
  if (step != MT_CLANG_PREPROCESS) {
    mt_command_add(c, "-Xclang");
    mt_command_add(c, "-fno-diagnostics-use-presumed-location");
  }
  if (step == MT_CLANG_GENERATE) {
    mt_command_add(c, "-emit-llvm");
    mt_command_add(c, "-c");
  } else if (step == MT_CLANG_CHECK)
    mt_command_add(c, "-fsyntax-only");
  add_source(c, step);
  double most = o->time_limit > 0 ? o->time_limit : MT_CLANG_SECONDS;
  if (step == MT_CLANG_PREPROCESS && most > EXPAND_LIMIT) most = EXPAND_LIMIT;
  mt_ChildLimits limits = {
      most, MT_CLANG_MEMORY,
      step == MT_CLANG_PREPROCESS ? TEXT_LIMIT + 2 * length : MT_CLANG_OUTPUT,
      step == MT_CLANG_PREPROCESS ? IDLE_LIMIT : 0};
  const char *const *argv = mt_command_args(c);
  mt_Status status =
      mt_child_start_from(server_for(step, o->safe_math, header, argv), argv,
                          &limits, out, err);
  mt_str_free(&c->kept);
  free(c);
  return status;
}

static bool is_waiting(const char *header) {
  return waiting.child && strcmp(waiting.header, header) == 0 &&
         mt_child_alive(waiting.child);
}

void mt_clang_ahead(void) {
  static const mt_MslOptions usual;
  const char *header;
  if (mt_header_name(false, &header, NULL) != MT_OK || is_waiting(header))
    return;
  mt_child_kill(waiting.child);
  waiting.child = NULL;
  if (header[0] == '\0' || !mt_header_is_whole(header, false)) return;
  leave_at_exit();
  snprintf(waiting.header, sizeof waiting.header, "%s", header);
  start(MT_CLANG_GENERATE, &usual, 0, header, &waiting.child, NULL);
}

bool mt_clang_doubt(bool safe, const char *said) {
  unpark(); /* what it has loaded may be damaged */
  if (!mt_header_doubt(safe, said)) return false;
  mt_child_kill(waiting.child);
  waiting.child = NULL;
  return true;
}

mt_Status mt_clang_start(mt_ClangStep step, const mt_MslOptions *o,
                         size_t length, mt_Child **out, mt_Error *err) {
  const char *header;
  *out = NULL;
  mt_Status status = mt_header_need(o->safe_math, &header, err);
  if (status != MT_OK) return status;
  was_needed = true;
  if (step != MT_CLANG_GENERATE || o->time_limit > 0 || !is_waiting(header))
    return start(step, o, length, header, out, err);
  *out = waiting.child;
  waiting.child = NULL;
  return MT_OK;
}
