/*
** compiler_module.c - loads host.so and calls the engines in it, see
** compiler_module.h.
*/
#include "devices/compiler_module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/files/module.h"
#include "msl/clang/clang.h"
#include "msl/reader/versions.h"

const void *mt_compiler_symbol(const char *name, mt_Error *err) {
  const void *found = dlsym(RTLD_DEFAULT, name); /* tests link it statically */
  if (found) return found;
  return mt_module_symbol("host.so", name,
                          "compiling kernels needs LLVM (Debian's clang-22 and "
                          "llvm-22-dev, Homebrew's llvm)",
                          err);
}

mt_Status mt_compiler_need(mt_CompilerHalf *half, mt_Error *err) {
  if (!half->engine) half->engine = mt_compiler_symbol(half->symbol, err);
  return half->engine ? MT_OK : MT_FAIL;
}

int mt_compiler_serve(mt_CompilerHalf *half, const char *word) {
  mt_Error err;
  if (mt_compiler_need(half, &err) == MT_OK) return half->engine->serve(word);
  fprintf(stderr, "%s\n", err.text); /* mt_worker_process_ask reports it */
  return 1;
}

mt_Status mt_compiler_options(const mt_CompileOptions *o, mt_MslOptions *out,
                              mt_Error *err) {
  *out = (mt_MslOptions){0};
  unsigned version;
  if (mt_msl_version(o->std, &version, err) != MT_OK) return MT_BADARG;
  mt_MslDefine *defines = calloc(o->define_count + 1, sizeof *defines);
  if (!defines) return mt_error(err, MT_FAIL, "out of memory");
  for (size_t i = 0; i < o->define_count; i++)
    defines[i] = (mt_MslDefine){o->defines[i].name, o->defines[i].value};
  *out = (mt_MslOptions){.file = o->file, .defines = defines,
                         .define_count = o->define_count,
                         .include_dirs = o->include_dirs,
                         .include_dir_count = o->include_dir_count,
                         .safe_math = o->math == MT_MATH_SAFE,
                         .version = version,
                         .colour = o->colour, .signatures_only = true};
  return MT_OK;
}

/* Will this source need Clang? */
static bool is_new(const char *source, size_t length,
                   const mt_CompileOptions *options) {
  mt_MslOptions o;
  bool kept = mt_compiler_options(options, &o, NULL) == MT_OK &&
              mt_source_is_kept(source, length, &o);
  free((void *)o.defines);
  return !kept;
}

static struct {
  bool now, last; /* before the next source; before the last one */
} typed;

void mt_compiler_ahead(void) {
  typed.now = true;
  mt_clang_ahead();
}

void mt_compiler_meanwhile(void) {
  if (!typed.last && mt_clang_stays()) mt_clang_ahead();
}

void mt_compiler_confining(void) { mt_clang_confining(); }

/* -------------------------------------------------- members of mt_DeviceOps */

mt_Status mt_compiler_library_new(mt_Device *dev, const char *source,
                                  size_t length,
                                  const mt_CompileOptions *options,
                                  mt_Library **out, mt_Str *log,
                                  mt_Error *err) {
  mt_CompilerHalf *half = dev->ops->compiler;
  /* Clang loads while host.so does */
  if (!half->engine && is_new(source, length, options)) mt_clang_ahead();
  mt_Status status = mt_compiler_need(half, err);
  if (status != MT_OK) return status;
  status =
      half->engine->library_new(dev, source, length, options, out, log, err);
  typed.last = typed.now;
  typed.now = false;
  mt_clang_stay(); /* further sources are likely to follow */
  return status;
}

/* The functions below need a library, so the engine is loaded. */

static const mt_CompilerEngine *engine_of(const mt_Device *dev) {
  return dev->ops->compiler->engine;
}

void mt_compiler_library_free(mt_Library *lib) {
  engine_of(lib->device)->library_free(lib);
}

mt_Status mt_compiler_kernel_new(mt_Library *lib, const char *name,
                                 const mt_ConstantValue *values, size_t count,
                                 mt_Kernel **out, mt_Error *err) {
  return engine_of(lib->device)
      ->kernel_new(lib, name, values, count, out, err);
}

void mt_compiler_kernel_free(mt_Kernel *k) {
  engine_of(k->device)->kernel_free(k);
}

mt_Status mt_compiler_kernel_listing(mt_Kernel *k, mt_Listing what, mt_Str *out,
                                     mt_Error *err) {
  return engine_of(k->device)->kernel_listing(k, what, out, err);
}
