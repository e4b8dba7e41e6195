/*
** source_library.c - libraries and the kernels taken from them, see
** source_library.h.
*/
#include "devices/compiler/service/source_library.h"

#include <stdlib.h>
#include <string.h>

typedef struct SourceLibrary {
  mt_Library head;
  mt_SourceModule *module;
  const char **names; /* in 'module', which owns each of them */
} SourceLibrary;

/* ---------------------------------------------------------------- libraries */

void mt_source_library_free(mt_Library *lib) {
  SourceLibrary *l = (SourceLibrary *)lib;
  mt_module_release(l->module);
  free(l->names);
  free(l);
}

/* The library of 'm', which it takes over; NULL: out of memory. */
static mt_Library *library_of(mt_Device *dev, mt_SourceModule *m) {
  const mt_MslKernel *kernels;
  size_t n = mt_msl_kernels(m->msl, &kernels);
  SourceLibrary *l = calloc(1, sizeof *l);
  const char **names = calloc(n + 1, sizeof *names);
  if (!l || !names) {
    free(l);
    free(names);
    mt_module_release(m);
    return NULL;
  }
  for (size_t i = 0; i < n; i++) names[i] = kernels[i].name;
  l->module = m;
  l->names = names;
  l->head = (mt_Library){.device = dev, .kernel_names = names,
                         .kernel_count = n};
  l->head.constant_count = mt_msl_constants(m->msl, &l->head.constants);
  return &l->head;
}

mt_Status mt_source_library_new(mt_Device *dev, const char *source,
                                size_t length, const mt_CompileOptions *options,
                                void (*meanwhile)(void), mt_Library **out,
                                mt_Str *log, mt_Error *err) {
  mt_SourceModule *m = NULL;
  mt_Status status =
      mt_module_new(source, length, options, meanwhile, &m, log, err);
  if (status != MT_OK) return status;
  *out = library_of(dev, m);
  return *out ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
}

/* ------------------------------------------------------------------ kernels */

void mt_source_kernel_free(mt_SourceKernel *k) {
  mt_constant_values_free(k->values, k->value_count);
  mt_module_release(k->module);
  *k = (mt_SourceKernel){0};
}

/* The kernel of 'k->module' and its values. */
static mt_Status fill(mt_SourceKernel *k, const char *name,
                      const mt_ConstantValue *values, size_t count,
                      mt_Error *err) {
  k->msl = mt_module_kernel(k->module, name);
  if (!k->msl || k->msl->missing)
    return mt_kernel_missing(name, k->msl ? k->msl->missing : NULL, err);
  k->values = mt_constant_values_copy(values, count);
  k->value_count = k->values ? count : 0;
  return k->values ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
}

mt_Status mt_source_kernel_take(mt_Library *lib, const char *name,
                                const mt_ConstantValue *values, size_t count,
                                mt_SourceKernel *out, mt_Error *err) {
  SourceLibrary *l = (SourceLibrary *)lib;
  *out = (mt_SourceKernel){0};
  if (!mt_module_kernel(l->module, name))
    return mt_error(err, MT_BADARG, "there is no kernel '%s' in this library",
                    name);
  mt_SourceModule *module = NULL;
  mt_Status status = mt_module_of(l->module, name, &module, err);
  if (status != MT_OK) return status;
  out->module = module;
  status = fill(out, name, values, count, err);
  if (status != MT_OK) mt_source_kernel_free(out);
  return status;
}

mt_CompileJob mt_source_kernel_job(const mt_SourceKernel *k) {
  return mt_module_job(k->module, k->msl, k->values, k->value_count);
}

mt_Status mt_source_kernel_describe(const mt_SourceKernel *k, mt_Device *dev,
                                    size_t bytes, const mt_Uses *uses,
                                    mt_Kernel *out, mt_Error *err) {
  const mt_MslKernel *m = k->msl;
  unsigned most = (unsigned)dev->info.max_threads_per_group;
  if (bytes > dev->info.max_threadgroup_memory)
    return mt_error(err, MT_BADARG,
                    "kernel '%s' has %zu bytes of threadgroup variables; the "
                    "limit is %zu", m->name, bytes,
                    dev->info.max_threadgroup_memory);
  if (m->max_threads && m->max_threads < most) most = m->max_threads;
  out->device = dev;
  out->info = (mt_KernelInfo){.name = m->name, .params = m->params,
                              .param_count = m->param_count,
                              .max_threads = most,
                              .simd_width = (unsigned)dev->info.simd_width,
                              .threadgroup_static = bytes, .file = m->file,
                              .uses = *uses};
  memcpy(out->info.required_group, m->required_group, sizeof m->required_group);
  return MT_OK;
}
