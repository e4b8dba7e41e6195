/*
** kernel.c - libraries and kernels of the host device, see kernel.h.
**
** The one idea: errors of a kernel are reported when it is taken, not when it
** is launched. So it is prepared at once, unless an earlier session did so and
** recorded in the cache that it is valid.
*/
#include <stdlib.h>
#include <string.h>

#include "devices/compiler/prepare/prepare.h"
#include "devices/compiler/target/target.h"
#include "devices/host/kernel/compile.h"
#include "devices/host/kernel/tier.h"
#include "devices/host/native/native.h"

void mt_host_kernel_free(mt_Kernel *kernel) {
  mt_HostKernel *k = (mt_HostKernel *)kernel;
  for (mt_Specialisation *s = k->specials, *next; s; s = next) {
    next = s->next;
    free(s);
  }
  for (mt_InstrumentedVariant *w = k->instrumented, *next; w; w = next) {
    next = w->next;
    mt_instrumented_free(&w->code);
    free(w);
  }
  mt_compile_server_forget(k);
  mt_prepared_job_free(&k->work);
  mt_source_kernel_free(&k->from);
  free(k);
}

mt_Key mt_kernel_key(const mt_HostKernel *k, const mt_Target *target) {
  return mt_compile_job_key(&k->work.job, mt_target_cpu(target),
                            mt_target_features(target));
}

bool mt_kernel_is_known(mt_HostKernel *k) {
  mt_CodeFacts made;
  mt_Str word = MT_STR_INIT;
  bool known = mt_disk_cache_read(&k->key, &made, &word);
  if (known) {
    k->threadgroup_bytes = (size_t)made.threadgroup_bytes;
    k->uses = made.uses;
  }
  mt_str_free(&word);
  return known;
}

void mt_kernel_make_known(const mt_HostKernel *k) {
  mt_CodeFacts made = {.key = k->key,
                       .threadgroup_bytes = k->threadgroup_bytes,
                       .uses = k->uses};
  mt_Str word = MT_STR_INIT;
  mt_str_add(&word, "checked");
  mt_disk_cache_write(&made, &word);
  mt_str_free(&word);
}

static mt_Status check_kernel(mt_HostKernel *k, mt_Error *err) {
  mt_Target *target = mt_target_host(err);
  if (!target) return MT_FAIL;
  k->key = mt_kernel_key(k, target);
  if (mt_kernel_is_known(k)) return MT_OK;
  mt_CompileRequest order = {.task = MT_TASK_CHECK};
  mt_CompileResult built = {0};
  mt_argument_facts_guess(k->from.msl, &order.kind.formats);
  mt_tier_ask(&order);
  mt_Status status = mt_compile_server_request(k, &order, &built, err);
  k->threadgroup_bytes = (size_t)built.made.threadgroup_bytes;
  k->uses = built.made.uses;
  mt_compile_result_free(&built);
  if (status == MT_OK) mt_kernel_make_known(k);
  return status;
}

mt_Status mt_host_library_new(mt_Device *dev, const char *source, size_t length,
                              const mt_CompileOptions *options,
                              mt_Library **out, mt_Str *log, mt_Error *err) {
  mt_compile_server_open();
  return mt_source_library_new(dev, source, length, options, mt_jit_warm, out,
                               log, err);
}

mt_Status mt_host_kernel_new(mt_Library *lib, const char *name,
                             const mt_ConstantValue *values, size_t count,
                             mt_Kernel **out, mt_Error *err) {
  mt_HostKernel *k = calloc(1, sizeof *k);
  if (!k) return mt_error(err, MT_FAIL, "out of memory");
  mt_Status status =
      mt_source_kernel_take(lib, name, values, count, &k->from, err);
  if (status == MT_OK) {
    k->work.job = mt_source_kernel_job(&k->from);
    status = check_kernel(k, err);
  }
  if (status == MT_OK)
    status = mt_source_kernel_describe(&k->from, lib->device,
                                       k->threadgroup_bytes, &k->uses,
                                       &k->head, err);
  if (status == MT_OK)
    *out = &k->head;
  else
    mt_host_kernel_free(&k->head);
  return status;
}
