/*
** library.c - libraries of the host device, see kernel.h.
*/
#include <stdlib.h>

#include "devices/host/kernel/compile.h"
#include "devices/host/native/native.h"

void mt_host_library_free(mt_Library *lib) {
  mt_HostLibrary *l = (mt_HostLibrary *)lib;
  mt_module_release(l->module);
  free(l->names);
  free(l);
}

mt_Status mt_host_library_new(mt_Device *dev, const char *source, size_t length,
                              const mt_CompileOptions *options,
                              mt_Library **out, mt_Str *log, mt_Error *err) {
  mt_SourceModule *m = NULL;
  mt_compile_server_open();
  mt_Status status =
      mt_module_new(source, length, options, mt_jit_warm, &m, log, err);
  if (status != MT_OK) return status;
  const mt_MslKernel *kernels;
  size_t n = mt_msl_kernels(m->msl, &kernels);
  mt_HostLibrary *l = calloc(1, sizeof *l);
  const char **names = calloc(n + 1, sizeof *names);
  if (!l || !names) {
    free(l);
    free(names);
    mt_module_release(m);
    return mt_error(err, MT_FAIL, "out of memory");
  }
  for (size_t i = 0; i < n; i++) names[i] = kernels[i].name;
  l->module = m;
  l->names = names;
  l->head = (mt_Library){.device = dev, .kernel_names = names,
                         .kernel_count = n};
  l->head.constant_count = mt_msl_constants(m->msl, &l->head.constants);
  *out = &l->head;
  return MT_OK;
}
