/*
** kernel.c - libraries and kernels of the cuda device.
**
** The one idea: PTX depends on the kernel, the GPU and the kind of launch
** (abi/launch.h). That for whole threadgroups is made when the kernel is taken,
** and errors are reported then; that for others by the first launch that needs
** it. Both are cached on disk; the driver has a cache of its own for what it
** makes of them.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/service/service.h"
#include "devices/compiler/target/target.h"
#include "devices/cuda/cuda.h"
#include "devices/cuda/ptx/ptx.h"

typedef struct Kernel {
  mt_CudaKernel head;
  mt_SourceKernel from;
  mt_CompileJob job;
  mt_PtxFacts facts;
  mt_Str whole, any; /* PTX */
} Kernel;

/* ---------------------------------------------------------------- libraries */

static mt_Status library_new(mt_Device *dev, const char *source, size_t length,
                             const mt_CompileOptions *options, mt_Library **out,
                             mt_Str *log, mt_Error *err) {
  mt_ptx_open(); /* LLVM loads while Clang works */
  return mt_source_library_new(dev, source, length, options, NULL, out, log,
                               err);
}

/* ------------------------------------------------------------------ kernels */

static void kernel_free(mt_Kernel *kernel) {
  Kernel *k = (Kernel *)kernel;
  mt_cuda_forget(&k->head);
  mt_str_free(&k->whole);
  mt_str_free(&k->any);
  mt_source_kernel_free(&k->from);
  free(k);
}

/* Cached: the facts, then the PTX. */
static bool recall(mt_Str *ptx, const mt_Key *key, mt_PtxFacts *facts) {
  mt_CodeFacts made;
  mt_Str bytes = MT_STR_INIT;
  bool found =
      mt_disk_cache_read(key, &made, &bytes) && bytes.length > sizeof *facts;
  if (found) {
    memcpy(facts, bytes.text, sizeof *facts);
    mt_str_add_bytes(ptx, bytes.text + sizeof *facts,
                     bytes.length - sizeof *facts);
    found = !ptx->failed;
  }
  mt_str_free(&bytes);
  return found;
}

static void remember(const mt_Str *ptx, const mt_Key *key,
                     const mt_PtxFacts *facts) {
  mt_CodeFacts made = {.key = *key};
  mt_Str bytes = MT_STR_INIT;
  mt_str_add_bytes(&bytes, facts, sizeof *facts);
  mt_str_add_bytes(&bytes, ptx->text, ptx->length);
  if (!bytes.failed) mt_disk_cache_write(&made, &bytes);
  mt_str_free(&bytes);
}

static mt_Status describe(Kernel *k, mt_Device *dev, const mt_PtxFacts *facts,
                          mt_Error *err) {
  k->head.threadgroup_bytes = facts->threadgroup_bytes;
  k->head.cell_bytes = facts->cell_bytes;
  k->head.logs = facts->logs;
  k->facts = *facts;
  k->head.in_slot = k->facts.in_slot;
  return mt_source_kernel_describe(&k->from, dev, facts->threadgroup_bytes,
                                   &facts->uses, &k->head.head, err);
}

/* The code for one kind of launch: '*out', whose text is 'ptx'. */
static mt_Status make_code(const Kernel *k, mt_Device *dev, bool whole,
                           mt_Str *ptx, mt_CudaCode *out, mt_PtxFacts *facts,
                           mt_Error *err) {
  mt_PtxRequest request = {.capability = mt_cuda_capability(dev),
                           .whole = whole};
  mt_Target *target = mt_target_nvptx(request.capability, err);
  if (!target) return MT_FAIL;
  mt_Key key = mt_compile_job_key(&k->job, mt_target_cpu(target),
                                  mt_target_features(target));
  mt_key_add_text(&key, whole ? "whole" : "any");
  if (!recall(ptx, &key, facts)) {
    mt_Status status = mt_ptx_request(&k->job, &request, facts, ptx, err);
    if (status != MT_OK) return status;
    remember(ptx, &key, facts);
  }
  *out = (mt_CudaCode){mt_str_text(ptx), ptx->length,
                       key.word[0] ? key.word[0] : 1};
  return MT_OK;
}

static mt_Status make_any(mt_CudaKernel *head, mt_Error *err) {
  Kernel *k = (Kernel *)head;
  mt_PtxFacts facts = {0};
  return make_code(k, head->head.device, false, &k->any, &head->any, &facts,
                   err);
}

static mt_Status make_whole(Kernel *k, mt_Device *dev, mt_Error *err) {
  mt_PtxFacts facts = {0};
  mt_Status status =
      make_code(k, dev, true, &k->whole, &k->head.whole, &facts, err);
  k->head.make_any = make_any;
  return status == MT_OK ? describe(k, dev, &facts, err) : status;
}

static mt_Status kernel_new(mt_Library *lib, const char *name,
                            const mt_ConstantValue *values, size_t count,
                            mt_Kernel **out, mt_Error *err) {
  Kernel *k = calloc(1, sizeof *k);
  if (!k) return mt_error(err, MT_FAIL, "out of memory");
  mt_Status status =
      mt_source_kernel_take(lib, name, values, count, &k->from, err);
  if (status == MT_OK) {
    k->job = mt_source_kernel_job(&k->from);
    status = make_whole(k, lib->device, err);
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
                           .whole = true,
                           .ir = true};
  mt_PtxFacts facts;
  mt_Status status;
  switch (what) {
    case MT_LISTING_IR:
      return mt_ptx_request(&k->job, &request, &facts, out, err);
    case MT_LISTING_WHY:
      mt_str_addf(out, "Each thread of %s is a thread of the GPU, and a "
                  "SIMD-group is a warp of 32.\n", k->job.msl->name);
      return add_facts(k, "", out, err);
    default:
      mt_str_add_bytes(out, k->whole.text, k->whole.length);
      status = add_facts(k, "// ", out, err);
      return status == MT_OK ? mt_cuda_sass(&k->head, out, err) : status;
  }
}

extern const mt_CompilerEngine mt_cuda_engine; /* looked up by name */

__attribute__((visibility("default")))
const mt_CompilerEngine mt_cuda_engine = {
    .library_new = library_new,
    .library_free = mt_source_library_free,
    .kernel_new = kernel_new,
    .kernel_free = kernel_free,
    .kernel_listing = listing,
    .serve = mt_ptx_serve,
};
