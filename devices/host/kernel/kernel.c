/*
** kernel.c - kernels of the host device, see kernel.h.
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

void mt_host_kernel_free(mt_Kernel *kernel) {
  mt_HostKernel *k = (mt_HostKernel *)kernel;
  for (mt_Specialisation *s = k->specials, *next; s; s = next) {
    next = s->next;
    free(s);
  }
  for (mt_InstrumentedVariant *w = k->watched, *next; w; w = next) {
    next = w->next;
    mt_instrumented_free(&w->code);
    free(w);
  }
  mt_compile_server_forget(k);
  mt_prepared_job_free(&k->work);
  mt_constant_values_free(k->values, k->value_count);
  mt_module_release(k->module);
  free(k);
}

mt_Key mt_kernel_key(const mt_HostKernel *k, const mt_Target *target) {
  return mt_compile_job_key(&k->work.plan, mt_target_cpu(target),
                            mt_target_features(target));
}

static void describe(mt_HostKernel *k, mt_Device *dev) {
  const mt_MslKernel *m = k->msl;
  unsigned most = (unsigned)dev->info.max_threads_per_group;
  if (m->max_threads && m->max_threads < most) most = m->max_threads;
  k->head.device = dev;
  k->head.info = (mt_KernelInfo){.name = m->name, .params = m->params,
                                 .param_count = m->param_count,
                                 .max_threads = most, .simd_width = MT_LANES,
                                 .threadgroup_static = k->threadgroup_bytes,
                                 .file = m->file};
  memcpy(k->head.info.required_group, m->required_group,
         sizeof m->required_group);
}

bool mt_kernel_is_known(mt_HostKernel *k) {
  mt_CodeFacts made;
  mt_Str word = MT_STR_INIT;
  bool known = mt_disk_cache_read(&k->key, &made, &word);
  if (known) k->threadgroup_bytes = (size_t)made.threadgroup_bytes;
  mt_str_free(&word);
  return known;
}

void mt_kernel_make_known(const mt_HostKernel *k) {
  mt_CodeFacts made = {.key = k->key,
                       .threadgroup_bytes = k->threadgroup_bytes};
  mt_Str word = MT_STR_INIT;
  mt_str_add(&word, "checked");
  mt_disk_cache_write(&made, &word);
  mt_str_free(&word);
}

static mt_Status check_kernel(mt_HostKernel *k, mt_Device *dev, mt_Error *err) {
  mt_Target *target = mt_target_host(err);
  if (!target) return MT_FAIL;
  k->key = mt_kernel_key(k, target);
  if (mt_kernel_is_known(k)) return MT_OK;
  mt_CompileRequest order = {.task = MT_TASK_CHECK};
  mt_CompileResult built = {0};
  mt_argument_facts_guess(k->msl, &order.kind.formats);
  mt_Status status = mt_compile_server_request(k, &order, &built, err);
  k->threadgroup_bytes = (size_t)built.made.threadgroup_bytes;
  mt_compile_result_free(&built);
  if (status != MT_OK) return status;
  if (k->threadgroup_bytes > dev->info.max_threadgroup_memory)
    return mt_error(err, MT_BADARG,
                    "kernel '%s' has %zu bytes of threadgroup variables; the "
                    "limit is %zu", k->msl->name, k->threadgroup_bytes,
                    dev->info.max_threadgroup_memory);
  mt_kernel_make_known(k);
  return MT_OK;
}

mt_Status mt_host_kernel_new(mt_Library *lib, const char *name,
                             const mt_ConstantValue *values, size_t count,
                             mt_Kernel **out, mt_Error *err) {
  mt_HostLibrary *l = (mt_HostLibrary *)lib;
  mt_SourceModule *module = NULL;
  if (!mt_module_kernel(l->module, name))
    return mt_error(err, MT_BADARG, "there is no kernel '%s' in this library",
                    name);
  mt_Status status = mt_module_of(l->module, name, &module, err);
  if (status != MT_OK) return status;
  const mt_MslKernel *msl = mt_module_kernel(module, name);
  mt_HostKernel *k = msl && !msl->missing ? calloc(1, sizeof *k) : NULL;
  if (!k) {
    status = mt_kernel_missing(name, msl ? msl->missing : NULL, err);
    mt_module_release(module);
    return status;
  }
  k->msl = msl;
  k->module = module;
  status = MT_FAIL;
  k->value_count = count;
  k->values = mt_constant_values_copy(values, count);
  if (!k->values)
    mt_error(err, MT_FAIL, "out of memory");
  else {
    k->work.plan = mt_module_job(module, msl, k->values, k->value_count);
    status = check_kernel(k, lib->device, err);
  }
  if (status != MT_OK) {
    mt_host_kernel_free(&k->head);
    return status;
  }
  describe(k, lib->device);
  *out = &k->head;
  return MT_OK;
}
