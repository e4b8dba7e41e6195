/*
** command.c - the command line that Clang is started with.
*/
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files/folders.h"
#include "base/str.h"
#include "msl/clang/parts.h"

#ifndef MT_CLANG
#define MT_CLANG "clang"
#endif

/* The flags that all steps and the precompiled header share. */
static const char *const common_flags[] = {
    /* a single process, so that killing it kills the whole compilation */
    "-fintegrated-cc1", "-fno-crash-diagnostics", "-x", "c++", "-std=c++17",
    "-target", "nvptx64", "-nostdinc", "-O1", "-Xclang", "-disable-llvm-passes",
    "-fno-exceptions", "-fno-rtti",
    /* an unused load through null must not make the code unreachable */
    "-fno-delete-null-pointer-checks", "-fno-strict-aliasing",
    "-fno-strict-float-cast-overflow", "-fno-discard-value-names", "-fdeclspec",
    "-flax-vector-conversions=none", "-fno-math-errno",
    /* a packed struct packs classes, too, as on Apple's systems: matrices and
    ** packed vectors are some here */
    "-fclang-abi-compat=15",
    "-fno-threadsafe-statics", "-fno-use-cxa-atexit", "-gcolumn-info", "-g",
    "-fstandalone-debug", "-fno-caret-diagnostics", "-fno-color-diagnostics",
    "-fno-diagnostics-show-option", "-fno-elide-type", "-ferror-limit=30",
    "-ftemplate-backtrace-limit=20", "-fconstexpr-steps=10000000",
    "-Wno-everything",
    /* warnings that Apple's compiler gives too */
    "-Wuninitialized", "-Wsometimes-uninitialized", "-Wunused-variable",
    "-Wreturn-type", "-Wparentheses", "-Wtautological-compare",
    "-Warray-bounds", "-Wdivision-by-zero", "-Wshift-count-overflow",
    "-Wshift-count-negative", "-Wliteral-conversion", "-Wconstant-conversion",
    "-Wunused-value", "-Wlogical-op-parentheses", "-Wunknown-attributes",
    "-Wignored-attributes",
    /* a function without a return at its end goes on: mt_pass_results */
    "-fno-strict-return",
    /* errors in C++ but not in MSL */
    "-Wno-c++11-narrowing", "-Wno-register", "-Wno-static-float-init",
    "-Wno-implicit-fallthrough", "-Wno-parentheses-equality", "-D__METAL__=1",
    "-D__METAL_VERSION__=400", "-D__METAL_MACOS__=1",
    "-D__METAL_MAYBE_FAST_MATH__=0", "-D__METAL_FAST_MATH__=1",
    "-D__METAL_PRECISE_MATH__=2", "-D__HAVE_BFLOAT__=1", "-D__METTLE__=1",
    "-D__constant=constant", NULL};

static const char *const fast_flags[] = {
    "-fassociative-math", "-freciprocal-math", "-fno-signed-zeros",
    "-fno-trapping-math", "-fapprox-func", "-ffp-contract=fast",
    "-D__FAST_MATH__=1", NULL};

/* fma is formed only from a product and a sum in the same expression. */
static const char *const safe_flags[] = {"-ffp-contract=on", NULL};

/* ------------------------------------------------------------ command lines */

void mt_command_add(mt_ClangCommand *c, const char *arg) {
  if (c->count < MT_COMMAND_ARGS - 1) {
    c->made[c->count] = SIZE_MAX;
    c->args[c->count++] = arg;
  }
}

void mt_command_made(mt_ClangCommand *c, const char *a, const char *b,
                     const char *d) {
  if (c->count >= MT_COMMAND_ARGS - 1) return;
  c->made[c->count] = c->kept.length;
  mt_str_addf(&c->kept, "%s%s%s", a, b, d);
  mt_str_add_char(&c->kept, '\0');
  c->args[c->count++] = NULL;
}

const char *const *mt_command_args(mt_ClangCommand *c) {
  for (size_t i = 0; i < c->count; i++)
    if (c->made[i] != SIZE_MAX) c->args[i] = c->kept.text + c->made[i];
  c->args[c->count] = NULL;
  return c->args;
}

/* A bundle (docs/bundle.md) has a Clang of its own below its modules. */
static const char *bundled(void) {
  static char path[PATH_MAX];
  static bool looked;
  const char *lib = looked ? NULL : mt_dir_lib();
  looked = true;
  if (lib == NULL) return path;
  int n = snprintf(path, sizeof path, "%s/bin/clang", lib);
  if (n < 0 || (size_t)n >= sizeof path || access(path, X_OK) != 0)
    path[0] = '\0';
  return path;
}

const char *mt_clang_path(void) {
  const char *named = getenv("METTLE_CLANG");
  if (named && named[0]) return named;
  return bundled()[0] ? bundled() : MT_CLANG;
}

/* Where the path leads counts: <../../x> in a source is looked for below our
** headers too. */
bool mt_clang_is_header(const char *path) {
  const char *headers = mt_clang_headers();
  char real[PATH_MAX], folder[PATH_MAX];
  if (!headers[0] || !mt_starts(path, headers)) return false;
  if (realpath(path, real) == NULL || realpath(headers, folder) == NULL)
    return false;
  size_t n = strlen(folder);
  return strncmp(real, folder, n) == 0 && real[n] == '/';
}

const char *mt_clang_headers(void) {
  static char path[PATH_MAX];
  const char *data = mt_dir_data();
  char named[PATH_MAX];
  if (path[0] || data == NULL) return path;
  int n = snprintf(named, sizeof named, "%s/msl/include", data);
  if (n < 0 || (size_t)n >= sizeof named) return path;
  if (named[0] == '/' || realpath(named, path) == NULL)
    strcpy(path, named); /* Clang's working directory may differ */
  return path;
}

void mt_command_common(mt_ClangCommand *c, bool safe) {
  mt_command_add(c, mt_clang_path());
  for (size_t i = 0; common_flags[i]; i++) mt_command_add(c, common_flags[i]);
  const char *const *math = safe ? safe_flags : fast_flags;
  for (size_t i = 0; math[i]; i++) mt_command_add(c, math[i]);
  mt_command_made(c, "-isystem", mt_clang_headers(), "");
}
