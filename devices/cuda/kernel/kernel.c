/*
** kernel.c - libraries and kernels of the cuda device.
**
** The one idea: PTX depends on the kernel and the GPU, not on a launch, so it
** is made when the kernel is taken, and errors are reported then. It is cached
** on disk; the driver has a cache of its own for what it makes of it.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/service/compile_job.h"
#include "devices/compiler/service/disk_cache.h"
#include "devices/compiler/service/source_module.h"
#include "devices/compiler/target/target.h"
#include "devices/cuda/cuda.h"
#include "devices/cuda/ptx/ptx.h"

typedef struct Library {
  mt_Library head;
  mt_SourceModule *module;
  const char **names;
} Library;

typedef struct Kernel {
  mt_CudaKernel head;
  mt_SourceModule *module;
  mt_ConstantValue *values;
  size_t value_count;
  mt_CompileJob job;
  mt_PtxFacts facts;
  mt_Str ptx;
} Kernel;

/* ---------------------------------------------------------------- libraries */

static void library_free(mt_Library *lib) {
  Library *l = (Library *)lib;
  mt_module_release(l->module);
  free(l->names);
  free(l);
}

static mt_Status library_new(mt_Device *dev, const char *source, size_t length,
                             const mt_CompileOptions *options, mt_Library **out,
                             mt_Str *log, mt_Error *err) {
  mt_SourceModule *m = NULL;
  mt_ptx_open(); /* LLVM loads while Clang works */
  mt_Status status = mt_module_new(source, length, options, NULL, &m, log, err);
  if (status != MT_OK) return status;
  const mt_MslKernel *kernels;
  size_t n = mt_msl_kernels(m->msl, &kernels);
  Library *l = calloc(1, sizeof *l);
  const char **names = calloc(n + 1, sizeof *names);
  if (!l || !names) {
    free(l);
    free(names);
    mt_module_release(m);
    return mt_error(err, MT_FAIL, "out of memory");
  }
  for (size_t i = 0; i < n; i++) names[i] = kernels[i].name;
  *l = (Library){
      .module = m,
      .names = names,
      .head = {.device = dev, .kernel_names = names, .kernel_count = n}};
  l->head.constant_count = mt_msl_constants(m->msl, &l->head.constants);
  *out = &l->head;
  return MT_OK;
}

/* ------------------------------------------------------------------ kernels */

static void kernel_free(mt_Kernel *kernel) {
  Kernel *k = (Kernel *)kernel;
  mt_cuda_forget(&k->head);
  mt_str_free(&k->ptx);
  mt_constant_values_free(k->values, k->value_count);
  mt_module_release(k->module);
  free(k);
}

/* Cached: the facts, then the PTX. */
static bool recall(Kernel *k, const mt_Key *key, mt_PtxFacts *facts) {
  mt_CodeFacts made;
  mt_Str bytes = MT_STR_INIT;
  bool found =
      mt_disk_cache_read(key, &made, &bytes) && bytes.length > sizeof *facts;
  if (found) {
    memcpy(facts, bytes.text, sizeof *facts);
    mt_str_add_bytes(&k->ptx, bytes.text + sizeof *facts,
                     bytes.length - sizeof *facts);
    found = !k->ptx.failed;
  }
  mt_str_free(&bytes);
  return found;
}

static void remember(const Kernel *k, const mt_Key *key,
                     const mt_PtxFacts *facts) {
  mt_CodeFacts made = {.key = *key};
  mt_Str bytes = MT_STR_INIT;
  mt_str_add_bytes(&bytes, facts, sizeof *facts);
  mt_str_add_bytes(&bytes, k->ptx.text, k->ptx.length);
  if (!bytes.failed) mt_disk_cache_write(&made, &bytes);
  mt_str_free(&bytes);
}

static void describe(Kernel *k, mt_Device *dev, const mt_PtxFacts *facts) {
  const mt_MslKernel *m = k->job.msl;
  unsigned most = (unsigned)dev->info.max_threads_per_group;
  if (m->max_threads && m->max_threads < most) most = m->max_threads;
  k->head.head.device = dev;
  k->head.head.info =
      (mt_KernelInfo){.name = m->name,
                      .params = m->params,
                      .param_count = m->param_count,
                      .max_threads = most,
                      .simd_width = 32,
                      .threadgroup_static = facts->threadgroup_bytes,
                      .file = m->file};
  memcpy(k->head.head.info.required_group, m->required_group,
         sizeof m->required_group);
  k->head.ptx = mt_str_text(&k->ptx);
  k->head.ptx_size = k->ptx.length;
  k->head.threadgroup_bytes = facts->threadgroup_bytes;
  k->head.cell_bytes = facts->cell_bytes;
  k->head.logs = facts->logs;
  k->facts = *facts;
  k->head.in_slot = k->facts.in_slot;
}

static mt_Status make_code(Kernel *k, mt_Device *dev, mt_Error *err) {
  mt_PtxRequest request = {.capability = mt_cuda_capability(dev)};
  mt_Target *target = mt_target_nvptx(request.capability, err);
  mt_PtxFacts facts = {0};
  if (!target) return MT_FAIL;
  mt_Key key = mt_compile_job_key(&k->job, mt_target_cpu(target),
                                  mt_target_features(target));
  if (!recall(k, &key, &facts)) {
    mt_Status status = mt_ptx_request(&k->job, &request, &facts, &k->ptx, err);
    if (status != MT_OK) return status;
    remember(k, &key, &facts);
  }
  if (facts.threadgroup_bytes > dev->info.max_threadgroup_memory)
    return mt_error(err, MT_BADARG,
                    "kernel '%s' has %u bytes of threadgroup variables; the "
                    "limit is %zu",
                    k->job.msl->name, facts.threadgroup_bytes,
                    dev->info.max_threadgroup_memory);
  k->head.id = key.word[0] ? key.word[0] : 1;
  describe(k, dev, &facts);
  return MT_OK;
}

static mt_Status kernel_new(mt_Library *lib, const char *name,
                            const mt_ConstantValue *values, size_t count,
                            mt_Kernel **out, mt_Error *err) {
  Library *l = (Library *)lib;
  mt_SourceModule *module = NULL;
  if (!mt_module_kernel(l->module, name))
    return mt_error(err, MT_BADARG, "there is no kernel '%s' in this library",
                    name);
  mt_Status status = mt_module_of(l->module, name, &module, err);
  if (status != MT_OK) return status;
  const mt_MslKernel *msl = mt_module_kernel(module, name);
  Kernel *k = msl && !msl->missing ? calloc(1, sizeof *k) : NULL;
  if (!k) {
    status = mt_kernel_missing(name, msl ? msl->missing : NULL, err);
    mt_module_release(module);
    return status;
  }
  k->module = module;
  k->value_count = count;
  k->values = mt_constant_values_copy(values, count);
  status = k->values ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
  if (status == MT_OK) {
    k->job = mt_module_job(module, msl, k->values, count);
    status = make_code(k, lib->device, err);
  }
  if (status == MT_OK)
    *out = &k->head.head;
  else
    kernel_free(&k->head.head);
  return status;
}

/* ----------------------------------------------------------------- listings */

/* What the driver says of the code, each line after 'before'. */
static mt_Status add_facts(Kernel *k, const char *before, mt_Str *out,
                           mt_Error *err) {
  mt_Str facts = MT_STR_INIT;
  mt_Status status = mt_cuda_code_facts(&k->head, &facts, err);
  const char *at = mt_str_text(&facts);
  for (size_t n; status == MT_OK && *at; at += n) {
    n = strcspn(at, "\n");
    n += at[n] == '\n';
    mt_str_add(out, before);
    mt_str_add_bytes(out, at, n);
  }
  mt_str_free(&facts);
  return status;
}

static mt_Status listing(mt_Kernel *kernel, mt_Listing what, mt_Str *out,
                         mt_Error *err) {
  Kernel *k = (Kernel *)kernel;
  mt_PtxRequest request = {.capability = mt_cuda_capability(kernel->device),
                           .ir = true};
  mt_PtxFacts facts;
  switch (what) {
    case MT_LISTING_IR:
      return mt_ptx_request(&k->job, &request, &facts, out, err);
    case MT_LISTING_WHY:
      mt_str_addf(out, "Each thread of %s is a thread of the GPU, and a "
                  "SIMD-group is a warp of 32.\n", k->job.msl->name);
      return add_facts(k, "", out, err);
    default:
      mt_str_add_bytes(out, k->ptx.text, k->ptx.length);
      return add_facts(k, "// ", out, err);
  }
}

extern const mt_CudaEngine mt_cuda_engine; /* looked up by name */

__attribute__((visibility("default"))) const mt_CudaEngine mt_cuda_engine = {
    .library_new = library_new,
    .library_free = library_free,
    .kernel_new = kernel_new,
    .kernel_free = kernel_free,
    .kernel_listing = listing,
    .serve = mt_ptx_serve,
};
