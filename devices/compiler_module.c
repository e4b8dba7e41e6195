/*
** compiler_module.c - loads host.so, see compiler_module.h.
*/
#include "devices/compiler_module.h"

#include <dlfcn.h>
#include <stdio.h>

#include "base/file.h"

const void *mt_compiler_symbol(const char *name, mt_Error *err) {
  const void *found = dlsym(RTLD_DEFAULT, name); /* tests link it statically */
  if (found) return found;
  const char *folder = mt_dir_lib();
  char path[4096];
  if (!folder) {
    mt_error(err, MT_FAIL, "the folder of Mettle's modules is not to be "
                           "found: install Mettle anew");
    return NULL;
  }
  snprintf(path, sizeof path, "%s/host.so", folder);
  if (!mt_file_exists(path)) {
    mt_error(err, MT_FAIL, "compiling kernels needs LLVM: %s is not there; run "
             "'make' where Mettle's source is, it installs what is missing", path);
    return NULL;
  }
  void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!module) {
    mt_error(err, MT_FAIL, "the compiler cannot be loaded: %s; run 'make' "
             "where Mettle's source is", dlerror());
    return NULL;
  }
  found = dlsym(module, name);
  if (!found)
    mt_error(err, MT_FAIL, "%s is not of this Mettle: run 'make' where its "
             "source is", path);
  return found;
}
