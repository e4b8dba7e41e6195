/*
** cu.c - loads NVIDIA's driver library into this process.
*/
#include "devices/cuda/driver/cu.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

mt_Status mt_cu_load(mt_Cu *out, mt_Error *err) {
  const char *named = getenv("METTLE_CUDA_DRIVER");
  const char *path = named && named[0] ? named : "libcuda.so.1";
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return mt_error(err, MT_FAIL,
                    "NVIDIA's driver library cannot be loaded: %s", dlerror());
  const char *missing = NULL;
#define FIND(member, symbol, parameters)                 \
  {                                                      \
    void *found = dlsym(library, symbol);                \
    if (!found) missing = symbol;                        \
    memcpy(&out->member, &found, sizeof found);          \
  }
  MT_CU_FUNCTIONS(FIND)
#undef FIND
  if (missing)
    return mt_error(err, MT_FAIL,
                    "NVIDIA's driver library %s is too old: it has no %s; "
                    "install a driver for CUDA 11 or newer",
                    path, missing);
  return MT_OK;
}

void mt_cu_error(const mt_Cu *cu, mt_CuResult r, char out[MT_CU_TEXT]) {
  const char *name = NULL;
  if (cu->error_name && cu->error_name(r, &name) != MT_CU_OK) name = NULL;
  snprintf(out, MT_CU_TEXT, "%d%s%s", r, name ? ", " : "", name ? name : "");
}
