/*
** kernel_key.c - what a kernel's code depends on, see compile_job.h.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include <dlfcn.h>
#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/version.h"
#include "devices/compiler/service/compile_job.h"

/* Code of another build of this module must not be used: the time, size and
** inode of its file are part of every key. */
static void add_build(mt_Key *key) {
  Dl_info here;
  struct stat st;
  const char *said = getenv("METTLE_BUILD"); /* see compiler/target/target.h */
  mt_key_add_text(key, MT_VERSION);
  if (said && said[0])
    mt_key_add_text(key, said);
  else if (dladdr((void *)(uintptr_t)mt_compile_job_key, &here) &&
           stat(here.dli_fname, &st) == 0) {
    long long stamp[] = {(long long)st.st_mtime, (long long)st.st_size,
                         (long long)st.st_ino};
    mt_key_add(key, stamp, sizeof stamp);
  }
}

/* What the source says of the kernel beside its code: two that differ only in
** the attribute of a parameter have the same bitcode. */
static void add_signature(mt_Key *key, const mt_MslKernel *k) {
  mt_key_add_text(key, k->function);
  mt_key_add(key, &k->max_threads, sizeof k->max_threads);
  mt_key_add(key, k->required_group, sizeof k->required_group);
  for (unsigned i = 0; i < k->param_count; i++) {
    const mt_Param *p = &k->params[i];
    unsigned about[] = {p->kind,      p->index, p->access,      p->constant,
                        p->reference, p->used,  p->array_count, p->handle};
    mt_key_add(key, about, sizeof about);
    mt_key_add_text(key, p->builtin);
  }
}

mt_Key mt_compile_job_key(const mt_CompileJob *job, const char *cpu,
                          const char *features) {
  mt_Key key = MT_KEY_INIT;
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  unsigned version[] = {major, minor, patch};
  mt_key_add(&key, job->bitcode, job->size);
  mt_key_add(&key, version, sizeof version);
  add_build(&key);
  add_signature(&key, job->msl);
  mt_key_add_text(&key, cpu);
  mt_key_add_text(&key, features);
  for (size_t i = 0; i < job->value_count; i++) {
    mt_key_add(&key, &job->values[i].index, sizeof job->values[i].index);
    mt_key_add(&key, job->values[i].bytes, job->values[i].size);
  }
  return key;
}

mt_ConstantValue *mt_constant_values_copy(const mt_ConstantValue *values,
                                          size_t n) {
  mt_ConstantValue *copies = calloc(n + 1, sizeof *copies);
  for (size_t i = 0; copies && i < n; i++) {
    void *bytes = malloc(values[i].size ? values[i].size : 1);
    if (!bytes) {
      mt_constant_values_free(copies, i);
      return NULL;
    }
    memcpy(bytes, values[i].bytes, values[i].size);
    copies[i] = (mt_ConstantValue){values[i].index, bytes, values[i].size};
  }
  return copies;
}

void mt_constant_values_free(mt_ConstantValue *values, size_t count) {
  for (size_t i = 0; values && i < count; i++) free((void *)values[i].bytes);
  free(values);
}

mt_Status mt_kernel_missing(const char *name, const char *missing,
                            mt_Error *err) {
  if (missing)
    return mt_error(err, MT_BADARG,
                    "kernel '%s' needs %s, which this device does not have: "
                    "it compiles here, but only an Apple GPU can run it",
                    name, missing);
  return mt_error(err, MT_FAIL, "out of memory");
}
