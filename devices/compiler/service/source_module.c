/*
** source_module.c - modules of MSL sources, see source_module.h.
**
** The one idea: users run the same source again and again. The modules of
** recent sources are kept, so that Clang runs only for new ones.
*/
#include "devices/compiler/service/source_module.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "devices/compiler_module.h"

/* ----------------------------------------------------------------- modules */

/* The most recent modules. */
#define RECENT 16
static mt_SourceModule *recent[RECENT];

void mt_module_release(mt_SourceModule *m) {
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

static void remember(mt_SourceModule *m) {
  static unsigned next;
  if (!m->keep) return;
  mt_module_release(recent[next % RECENT]);
  recent[next++ % RECENT] = m;
  m->users++;
}

static mt_SourceModule *recall(const mt_Key *key) {
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
  mt_key_add_text(&k, o->std);
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

/* What a device does while Clang, another process, works. */
static void *run_meanwhile(void *meanwhile) {
  ((void (*)(void))(uintptr_t)meanwhile)();
  return NULL;
}

static mt_Status compile(mt_SourceModule *m, size_t length,
                         const mt_CompileOptions *o, void (*meanwhile)(void),
                         mt_Str *log, mt_Error *err) {
  mt_MslOptions options;
  mt_Status status = mt_compiler_options(o, &options, err);
  if (status != MT_OK) return status;
  pthread_t other;
  bool runs = meanwhile && mt_thread_start(&other, run_meanwhile,
                                           (void *)(uintptr_t)meanwhile);
  status = mt_msl_compile(m->source, length, &options, &m->msl, err);
  if (runs) pthread_join(other, NULL);
  free((void *)options.defines);
  if (m->msl && log && mt_msl_log(m->msl)) mt_str_add(log, mt_msl_log(m->msl));
  return status;
}

mt_Status mt_module_new(const char *source, size_t length,
                        const mt_CompileOptions *o, void (*meanwhile)(void),
                        mt_SourceModule **out, mt_Str *log, mt_Error *err) {
  mt_Key key = key_of(source, length, o);
  mt_SourceModule *m = recall(&key);
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
  *m = (mt_SourceModule){
      .source = copy, .key = key, .users = 1, .keep = !includes_files(copy)};
  mt_Status status = compile(m, length, o, meanwhile, log, err);
  if (status == MT_OK)
    remember(m);
  else
    mt_module_release(m);
  *out = status == MT_OK ? m : NULL;
  return status;
}

/* ----------------------------------------------- kernels of large libraries */

/* Each compile costs a Clang that reads the whole source. A caller that takes a
** few kernels waits for these alone; one that goes on gets larger batches of
** those that follow in the source, and in the end all. */
static const size_t BATCH[] = {1, 1, 1, 1, 1, 1, 1, 1, 32, 128};
#define BATCHES (sizeof BATCH / sizeof *BATCH)
#define MOST_BATCH 128

const mt_MslKernel *mt_module_kernel(const mt_SourceModule *m,
                                     const char *name) {
  const mt_MslKernel *all;
  size_t n = mt_msl_kernels(m->msl, &all);
  for (size_t i = 0; i < n; i++)
    if (strcmp(all[i].name, name) == 0) return &all[i];
  return NULL;
}

/* Compile these kernels alone; none: all kernels. */
static mt_Status take(mt_SourceModule *library, const char *const *kernels,
                      size_t count, mt_SourceModule **out, mt_Error *err) {
  mt_SourceModule *m = calloc(1, sizeof *m);
  if (m) m->users = 1;
  if (m) m->source = strdup(library->source);
  if (!m || !m->source) {
    mt_module_release(m);
    return mt_error(err, MT_FAIL, "out of memory");
  }
  mt_Status status = mt_msl_take(library->msl, kernels, count, &m->msl, err);
  for (size_t i = 0; i < count && status == MT_OK; i++)
    if (!mt_module_kernel(m, kernels[i]))
      status = mt_error(err, MT_FAIL, "kernel '%s' was not found", kernels[i]);
  if (status == MT_OK) *out = m;
  else mt_module_release(m);
  return status;
}

static mt_SourceModule *find_taken(const mt_SourceModule *library,
                                 const char *kernel) {
  for (mt_TakenKernel *t = library->taken; t; t = t->next)
    if (strcmp(t->kernel, kernel) == 0) return t->module;
  return library->all;
}

static void remember_taken(mt_SourceModule *library, const char *kernel,
                           mt_SourceModule *m) {
  mt_TakenKernel *t = calloc(1, sizeof *t);
  char *name = strdup(kernel);
  if (t && name) {
    *t = (mt_TakenKernel){name, m, library->taken};
    library->taken = t;
    m->users++;
  } else {
    free(t);
    free(name);
  }
}

/* 'kernel' and those after it that have no code yet, at most 'size'. */
static size_t find_batch(const mt_SourceModule *library, const char *kernel,
                         size_t size, const char **names) {
  const mt_MslKernel *all;
  size_t n = mt_msl_kernels(library->msl, &all), first = 0, count = 1;
  while (first < n && strcmp(all[first].name, kernel) != 0) first++;
  names[0] = kernel;
  for (size_t i = 1; i < n && count < size; i++) {
    const char *next = all[(first + i) % n].name;
    if (!find_taken(library, next)) names[count++] = next;
  }
  return count;
}

/* MT_FAIL: they cannot be separated from the others. */
static mt_Status take_batch(mt_SourceModule *library, const char *kernel,
                            size_t size, mt_SourceModule **out,
                            mt_Error *err) {
  const char *names[MOST_BATCH];
  size_t count = find_batch(library, kernel, size, names);
  mt_Status status = take(library, names, count, out, err);
  for (size_t i = 0; i < count && status == MT_OK; i++)
    remember_taken(library, names[i], *out);
  return status;
}

mt_Status mt_module_of(mt_SourceModule *library, const char *kernel,
                       mt_SourceModule **out, mt_Error *err) {
  mt_Status status = MT_FAIL;
  mt_SourceModule *m =
      mt_msl_is_signatures_only(library->msl) ? find_taken(library, kernel)
                                              : library;
  if (m) {
    m->users++;
    *out = m;
    return MT_OK;
  }
  unsigned compiles = library->compiles++;
  size_t size = compiles < BATCHES ? BATCH[compiles] : 0;
  if (size) status = take_batch(library, kernel, size, out, err);
  if (status == MT_FAIL) {
    size = 0;
    status = take(library, NULL, 0, &library->all, err);
    if (status == MT_OK) (*out = library->all)->users++;
  }
  if (status == MT_OK || status == MT_CANCELLED || size == 1) return status;
  /* The mistake may be another kernel's. */
  return take_batch(library, kernel, 1, out, err);
}

/* ------------------------------------------------------------ their kernels */

mt_CompileJob mt_module_job(const mt_SourceModule *m, const mt_MslKernel *k,
                            const mt_ConstantValue *values, size_t count) {
  mt_CompileJob job = {.msl = k,
                       .source = m->source,
                       .file = k->file,
                       .values = values,
                       .value_count = count};
  if (!job.file) job.file = mt_msl_main_of_many(m->msl);
  job.bitcode = mt_msl_bitcode(m->msl, &job.size);
  job.constant_count = mt_msl_constants(m->msl, &job.constants);
  return job;
}
