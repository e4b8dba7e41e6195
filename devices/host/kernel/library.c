/*
** library.c - libraries of the host device, see kernel.h.
**
** The one idea: users run the same source again and again. The modules of
** recent sources are kept, so that Clang runs only for new ones.
*/
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/kernel/compile.h"
#include "devices/host/native/native.h"
#include "devices/host/run/kernel_log.h"

/* ----------------------------------------------------------------- modules */

/* The most recent modules. */
#define RECENT 16
static mt_HostModule *recent[RECENT];

void mt_module_release(mt_HostModule *m) {
  if (!m || --m->users) return;
  for (mt_TakenKernel *t = m->taken, *next; t; t = next) {
    next = t->next;
    mt_module_release(t->module);
    free(t->kernel);
    free(t);
  }
  mt_module_release(m->all);
  mt_msl_free(m->msl);
  free(m->source);
  free(m);
}

static void remember(mt_HostModule *m) {
  static unsigned next;
  if (!m->keep) return;
  mt_module_release(recent[next % RECENT]);
  recent[next++ % RECENT] = m;
  m->users++;
}

static mt_HostModule *recall(const mt_Key *key) {
  for (int i = 0; i < RECENT; i++)
    if (recent[i] && mt_key_equal(&recent[i]->key, key)) return recent[i];
  return NULL;
}

static mt_Key key_of(const char *source, size_t length,
                     const mt_CompileOptions *o) {
  mt_Key k = MT_KEY_INIT;
  int flags[] = {(int)o->math, o->colour};
  mt_key_add(&k, source, length);
  mt_key_add(&k, flags, sizeof flags);
  mt_key_add_text(&k, o->file);
  for (size_t i = 0; i < o->define_count; i++) {
    mt_key_add_text(&k, o->defines[i].name);
    mt_key_add_text(&k, o->defines[i].value);
  }
  for (size_t i = 0; i < o->include_dir_count; i++)
    mt_key_add_text(&k, o->include_dirs[i]);
  return k;
}

/* Does it include a file that may change? Headers in angle brackets are taken
** for ours. */
static bool includes_files(const char *source) {
  for (const char *p = source; (p = strstr(p, "include")) != NULL; p += 7)
    if (p[7 + strspn(p + 7, " \t")] == '"') return true;
  return strstr(source, "__FILE__") || strstr(source, "__TIME__");
}

static void *warm_up(void *unused) {
  mt_jit_warm();
  return unused;
}

static mt_Status compile(mt_HostModule *m, size_t length,
                         const mt_CompileOptions *o, mt_Str *log,
                         mt_Error *err) {
  mt_MslDefine *defines = calloc(o->define_count + 1, sizeof *defines);
  if (!defines) return mt_error(err, MT_FAIL, "out of memory");
  for (size_t i = 0; i < o->define_count; i++)
    defines[i] = (mt_MslDefine){o->defines[i].name, o->defines[i].value};
  mt_MslOptions options = {.file = o->file, .defines = defines,
                           .define_count = o->define_count,
                           .include_dirs = o->include_dirs,
                           .include_dir_count = o->include_dir_count,
                           .safe_math = o->math == MT_MATH_SAFE,
                           .colour = o->colour, .survey = true};
  mt_compile_server_open();
  pthread_t warm; /* Clang is another process: meanwhile start the JIT */
  bool warming = pthread_create(&warm, NULL, warm_up, NULL) == 0;
  mt_Status status = mt_msl_compile(m->source, length, &options, &m->msl, err);
  if (warming) pthread_join(warm, NULL);
  free(defines);
  if (m->msl && log && mt_msl_log(m->msl)) mt_str_add(log, mt_msl_log(m->msl));
  return status;
}

static mt_Status find_module(const char *source, size_t length,
                             const mt_CompileOptions *o, mt_HostModule **out,
                             mt_Str *log, mt_Error *err) {
  mt_Key key = key_of(source, length, o);
  mt_HostModule *m = recall(&key);
  if (m) {
    m->users++;
    *out = m;
    if (log && mt_msl_log(m->msl)) mt_str_add(log, mt_msl_log(m->msl));
    return MT_OK;
  }
  m = calloc(1, sizeof *m);
  char *copy = malloc(length + 1);
  if (!m || !copy) {
    free(m);
    free(copy);
    return mt_error(err, MT_FAIL, "out of memory");
  }
  memcpy(copy, source, length);
  copy[length] = 0;
  *m = (mt_HostModule){
      .source = copy, .key = key, .users = 1, .keep = !includes_files(copy)};
  mt_Status status = compile(m, length, o, log, err);
  if (status == MT_OK)
    remember(m);
  else
    mt_module_release(m);
  *out = status == MT_OK ? m : NULL;
  return status;
}

/* ----------------------------------------------- kernels of large libraries */

/* Each kernel taken alone costs a Clang that reads the whole source; after so
** many, one compile of all kernels is cheaper. */
#define MOST_TAKEN 8

const mt_MslKernel *mt_module_kernel(const mt_HostModule *m, const char *name) {
  const mt_MslKernel *all;
  size_t n = mt_msl_kernels(m->msl, &all);
  for (size_t i = 0; i < n; i++)
    if (strcmp(all[i].name, name) == 0) return &all[i];
  return NULL;
}

/* Compile 'kernel' alone; NULL: all kernels. */
static mt_Status take(mt_HostModule *library, const char *kernel,
                      mt_HostModule **out, mt_Error *err) {
  mt_HostModule *m = calloc(1, sizeof *m);
  if (m) m->users = 1;
  if (m) m->source = strdup(library->source);
  if (!m || !m->source) {
    mt_module_release(m);
    return mt_error(err, MT_FAIL, "out of memory");
  }
  mt_Status status = mt_msl_take(library->msl, kernel, &m->msl, err);
  if (status == MT_OK && kernel && !mt_module_kernel(m, kernel))
    status = mt_error(err, MT_FAIL, "kernel '%s' was not found", kernel);
  if (status == MT_OK) *out = m;
  else mt_module_release(m);
  return status;
}

static mt_HostModule *find_taken(const mt_HostModule *library,
                                 const char *kernel) {
  for (mt_TakenKernel *t = library->taken; t; t = t->next)
    if (strcmp(t->kernel, kernel) == 0) return t->module;
  return library->all;
}

static void remember_taken(mt_HostModule *library, const char *kernel,
                           mt_HostModule *m) {
  mt_TakenKernel *t = calloc(1, sizeof *t);
  char *name = strdup(kernel);
  if (t && name) {
    *t = (mt_TakenKernel){name, m, library->taken};
    library->taken = t;
    library->taken_count++;
    m->users++;
  } else {
    free(t);
    free(name);
  }
}

mt_Status mt_module_of(mt_HostModule *library, const char *kernel,
                       mt_HostModule **out, mt_Error *err) {
  mt_Status status = MT_FAIL;
  mt_HostModule *m =
      mt_msl_is_survey(library->msl) ? find_taken(library, kernel) : library;
  if (m) {
    m->users++;
    *out = m;
    return MT_OK;
  }
  if (library->taken_count < MOST_TAKEN)
    status = take(library, kernel, out, err);
  if (status == MT_OK) remember_taken(library, kernel, *out);
  if (status != MT_FAIL) return status;
  status = take(library, NULL, &library->all, err);
  if (status != MT_OK) return status;
  library->all->users++;
  *out = library->all;
  return MT_OK;
}

/* --------------------------------------------------------------- libraries */

void mt_host_library_free(mt_Library *lib) {
  mt_HostLibrary *l = (mt_HostLibrary *)lib;
  mt_module_release(l->module);
  free(l->names);
  free(l);
}

mt_Status mt_host_library_new(mt_Device *dev, const char *source, size_t length,
                              const mt_CompileOptions *options,
                              mt_Library **out, mt_Str *log, mt_Error *err) {
  mt_HostModule *m = NULL;
  mt_Status status = find_module(source, length, options, &m, log, err);
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
