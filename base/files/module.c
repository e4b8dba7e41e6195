/*
** module.c - loads modules, see module.h.
*/
#include "base/files/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/build_id.h"
#include "base/files/file.h"
#include "base/files/folders.h"
#include "base/thread.h"

#define PROVIDED 8
static struct {
  const char *symbol;
  void *address;
} provided[PROVIDED];

void mt_module_provide(const char *symbol, void *address) {
  for (int i = 0; i < PROVIDED; i++) {
    if (provided[i].symbol && strcmp(provided[i].symbol, symbol) != 0) continue;
    provided[i].symbol = symbol;
    provided[i].address = address;
    return;
  }
}

static void *linked(const char *symbol) {
  for (int i = 0; i < PROVIDED && provided[i].symbol; i++)
    if (strcmp(provided[i].symbol, symbol) == 0) return provided[i].address;
  return NULL;
}

static void *open_quietly(const char *path) {
  sigset_t before;
  mt_signals_block(&before);
  void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  mt_signals_restore(&before);
  return module;
}

static bool is_of_this_build(void *module) {
  const char *id = dlsym(module, MT_BUILD_ID_SYMBOL);
  return id && strcmp(id, mt_build_id) == 0;
}

void *mt_module_symbol(const char *file, const char *symbol,
                       const char *missing, mt_Error *err) {
  char path[PATH_MAX];
  void *here = linked(symbol);
  if (here) return here;
  const char *folder = mt_dir_lib();
  if (folder == NULL) {
    mt_error(
        err, MT_FAIL,
        "%s: the folder of Mettle's modules was not found: "
        "install Mettle again",
        missing);
    return NULL;
  }
  snprintf(path, sizeof path, "%s/%s", folder, file);
  if (!mt_file_exists(path)) {
    mt_error(err, MT_FAIL,
             "%s: %s is not there; run 'make run' where Mettle's source is, it "
             "installs what is missing",
             missing, path);
    return NULL;
  }
  void *module = open_quietly(path);
  if (module == NULL) {
    mt_error(err, MT_FAIL, "%s: %s; run 'make' where Mettle's source is",
             missing, dlerror());
    return NULL;
  }
  /* (dlopen again returns the same one) */
  void *found = is_of_this_build(module) ? dlsym(module, symbol) : NULL;
  if (found == NULL)
    mt_error(err, MT_FAIL,
             "%s: %s is of another build than the program: run 'make' where "
             "Mettle's source is, or install Mettle again",
             missing, path);
  return found;
}
