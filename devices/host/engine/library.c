/*
** library.c - libraries and kernels of the host device, and the code that is made
** for a kernel when it is launched.
**
** A library is a compiled MSL module; a kernel is one function of it with the
** values of its function constants. Code is made at the first launch with a
** geometry (spmd.h), since the thread's places are part of what the vectoriser
** builds on, and kept in the kernel, in memory and on disk.
*/
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr */
#endif
#include <dlfcn.h>
#include <llvm-c/DebugInfo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "devices/host/engine/cache.h"
#include "devices/host/engine/engine.h"
#include "devices/host/engine/list.h"
#include "devices/host/engine/profiler.h"
#include "devices/host/engine/run.h"
#include "devices/host/engine/scalar.h"
#include "devices/host/engine/spmd.h"
#include "devices/host/host.h"

extern const mt_HostEngine mt_host_engine; /* at the end of this file */

/* A build without the vectoriser runs all kernels thread by thread. */
extern mt_Status mt_spmd_build(LLVMModuleRef, const mt_MslKernel *,
                               const mt_Geometry *, LLVMValueRef *, size_t *,
                               mt_Error *) __attribute__((weak));
extern bool mt_spmd_meets(LLVMModuleRef, const mt_MslKernel *)
    __attribute__((weak));

/* What a library and its kernels hold together. */
typedef struct Module {
  mt_MslModule *msl;
  char *source;
  mt_Key key;     /* of source and options */
  bool keep;      /* the key says all: no file is included */
  unsigned users;
} Module;

typedef struct Library {
  mt_Library head;
  Module *module;
  const char **names;
} Library;

/* Code for one geometry. */
typedef struct Special {
  mt_Geometry geometry;
  mt_Formats formats;
  bool scalar; /* asked for, by METTLE_ENGINE */
  bool pixels; /* under watch: see mt_check_instrument */
  mt_Shared *code;
  double group_ns; /* see mt_Runnable */
  struct Special *next;
} Special;

/* The same under watch. */
typedef struct WatchedFor {
  Special special;
  mt_Watched code;
  struct WatchedFor *next;
} WatchedFor;

typedef struct Kernel {
  mt_Kernel head;
  Module *module;
  const mt_MslKernel *msl;
  mt_ConstantValue *values; /* copies */
  size_t value_count;
  mt_Prepared prepared;     /* by kernel_new; copies of it become code */
  mt_Formats formats;       /* that it is prepared for */
  size_t threadgroup_bytes;
  mt_Key key;               /* of all but the geometry */
  Special *specials;        /* last used first */
  struct WatchedFor *watched; /* code for the checker, last made first */
  mt_Error why;             /* the vectoriser could not; "" if it could */
} Kernel;

/* ----------------------------------------------------------------- modules */

/* The last few modules, so that the same source is not compiled again. */
#define RECENT 16
static Module *recent[RECENT];

static void release_module(Module *m) {
  if (!m || --m->users) return;
  mt_msl_free(m->msl);
  free(m->source);
  free(m);
}

static void remember(Module *m) {
  static unsigned next;
  if (!m->keep) return;
  release_module(recent[next % RECENT]);
  recent[next++ % RECENT] = m;
  m->users++;
}

static Module *recall(const mt_Key *key) {
  for (int i = 0; i < RECENT; i++)
    if (recent[i] && mt_key_equal(&recent[i]->key, key)) return recent[i];
  return NULL;
}

static void add_text(mt_Key *k, const char *text) {
  mt_key_add(k, text ? text : "", text ? strlen(text) + 1 : 0);
}

static mt_Key key_of(const char *source, size_t length,
                     const mt_CompileOptions *o) {
  mt_Key k = MT_KEY_INIT;
  int flags[] = {(int)o->math, o->colour};
  mt_key_add(&k, source, length);
  mt_key_add(&k, flags, sizeof flags);
  add_text(&k, o->file);
  for (size_t i = 0; i < o->define_count; i++) {
    add_text(&k, o->defines[i].name);
    add_text(&k, o->defines[i].value);
  }
  for (size_t i = 0; i < o->include_dir_count; i++)
    add_text(&k, o->include_dirs[i]);
  return k;
}

/* Does it include a file that may change? Angle brackets are ours. */
static bool includes_files(const char *source) {
  for (const char *p = source; (p = strstr(p, "include")) != NULL; p += 7)
    if (p[7 + strspn(p + 7, " \t")] == '"') return true;
  return strstr(source, "__FILE__") || strstr(source, "__TIME__");
}

static void *warm_up(void *unused) {
  mt_jit_warm();
  return unused;
}

static mt_Status compile(Module *m, size_t length, const mt_CompileOptions *o,
                         mt_Str *log, mt_Error *err) {
  mt_MslDefine *defines = calloc(o->define_count + 1, sizeof *defines);
  if (!defines) return mt_error(err, MT_FAIL, "out of memory");
  for (size_t i = 0; i < o->define_count; i++)
    defines[i] = (mt_MslDefine){o->defines[i].name, o->defines[i].value};
  mt_MslOptions options = {.file = o->file, .defines = defines,
                           .define_count = o->define_count,
                           .include_dirs = o->include_dirs,
                           .include_dir_count = o->include_dir_count,
                           .safe_math = o->math == MT_MATH_SAFE,
                           .colour = o->colour};
  pthread_t warm; /* Clang is another process: this one has time */
  bool warming = pthread_create(&warm, NULL, warm_up, NULL) == 0;
  mt_Status status = mt_msl_compile(m->source, length, &options, &m->msl, err);
  if (warming) pthread_join(warm, NULL);
  free(defines);
  if (m->msl && log && mt_msl_log(m->msl)) mt_str_add(log, mt_msl_log(m->msl));
  return status;
}

static mt_Status find_module(const char *source, size_t length,
                             const mt_CompileOptions *o, Module **out,
                             mt_Str *log, mt_Error *err) {
  mt_Key key = key_of(source, length, o);
  Module *m = recall(&key);
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
  *m = (Module){.source = copy, .key = key, .users = 1,
                .keep = !includes_files(copy)};
  mt_Status status = compile(m, length, o, log, err);
  if (status == MT_OK)
    remember(m);
  else
    release_module(m);
  *out = status == MT_OK ? m : NULL;
  return status;
}

/* --------------------------------------------------------------- libraries */

static void library_free(mt_Library *lib) {
  Library *l = (Library *)lib;
  release_module(l->module);
  free(l->names);
  free(l);
}

static mt_Status library_new(mt_Device *dev, const char *source, size_t length,
                             const mt_CompileOptions *options, mt_Library **out,
                             mt_Str *log, mt_Error *err) {
  Module *m = NULL;
  mt_Status status = find_module(source, length, options, &m, log, err);
  if (status != MT_OK) return status;
  const mt_MslKernel *kernels;
  size_t n = mt_msl_kernels(m->msl, &kernels);
  Library *l = calloc(1, sizeof *l);
  const char **names = calloc(n + 1, sizeof *names);
  if (!l || !names) {
    free(l);
    free(names);
    release_module(m);
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

/* ----------------------------------------------------------------- kernels */

static mt_PrepareInput input_of(const Kernel *k, const mt_Formats *formats) {
  mt_PrepareInput in = {.kernel = k->msl, .values = k->values,
                        .value_count = k->value_count, .formats = formats};
  in.bitcode = mt_msl_bitcode(k->module->msl, &in.size);
  in.constant_count = mt_msl_constants(k->module->msl, &in.constants);
  return in;
}

/* The prepared kernel to make code from; for a second geometry nothing is
** prepared again, for textures of other formats it is. */
static mt_Status prepared_for(Kernel *k, const Special *s, mt_Prepared *out,
                              mt_Error *err) {
  mt_PrepareInput in = input_of(k, &s->formats);
  in.plain = s->scalar && mt_scalar_plain;
  if (in.plain) return mt_prepare(&in, out, err);
  mt_Status status = MT_OK;
  if (memcmp(&k->formats, &s->formats, sizeof k->formats) != 0) {
    mt_prepared_free(&k->prepared);
    k->formats = s->formats;
  }
  if (!k->prepared.module) status = mt_prepare(&in, &k->prepared, err);
  if (status == MT_OK) mt_prepared_copy(&k->prepared, out);
  return status;
}

static void free_values(Kernel *k) {
  for (size_t i = 0; i < k->value_count; i++) free((void *)k->values[i].bytes);
  free(k->values);
}

static void kernel_free(mt_Kernel *kernel) {
  Kernel *k = (Kernel *)kernel;
  for (Special *s = k->specials, *next; s; s = next) {
    next = s->next;
    mt_cache_release(s->code);
    free(s);
  }
  for (WatchedFor *w = k->watched, *next; w; w = next) {
    next = w->next;
    mt_watched_free(&w->code);
    free(w);
  }
  mt_prepared_free(&k->prepared);
  free_values(k);
  release_module(k->module);
  free(k);
}

static bool copy_values(Kernel *k, const mt_ConstantValue *values, size_t n) {
  k->values = calloc(n + 1, sizeof *k->values);
  if (!k->values) return false;
  for (; k->value_count < n; k->value_count++) {
    const mt_ConstantValue *v = &values[k->value_count];
    void *bytes = malloc(v->size ? v->size : 1);
    if (!bytes) return false;
    memcpy(bytes, v->bytes, v->size);
    k->values[k->value_count] = (mt_ConstantValue){v->index, bytes, v->size};
  }
  return true;
}

/* Code made by another build of this module is not ours: its file's time and
** size are part of every key. */
static void add_build(mt_Key *key) {
  Dl_info here;
  struct stat st;
  const char *said = getenv("METTLE_BUILD"); /* see mt_machine_turn */
  add_text(key, MT_VERSION);
  if (said && said[0])
    add_text(key, said);
  else if (dladdr(&mt_host_engine, &here) && stat(here.dli_fname, &st) == 0) {
    long long stamp[] = {(long long)st.st_mtime, (long long)st.st_size,
                         (long long)st.st_ino};
    mt_key_add(key, stamp, sizeof stamp);
  }
}

static mt_Key kernel_key(const Kernel *k) {
  mt_Key key = MT_KEY_INIT;
  size_t size;
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  const void *bitcode = mt_msl_bitcode(k->module->msl, &size);
  unsigned version[] = {major, minor, patch};
  mt_key_add(&key, bitcode, size);
  mt_key_add(&key, version, sizeof version);
  add_build(&key);
  add_text(&key, k->msl->function);
  add_text(&key, mt_machine_cpu());
  add_text(&key, mt_machine_features());
  for (size_t i = 0; i < k->value_count; i++) {
    mt_key_add(&key, &k->values[i].index, sizeof k->values[i].index);
    mt_key_add(&key, k->values[i].bytes, k->values[i].size);
  }
  return key;
}

static void describe(Kernel *k, mt_Device *dev) {
  const mt_MslKernel *m = k->msl;
  unsigned most = (unsigned)dev->info.max_threads_per_group;
  if (m->max_threads && m->max_threads < most) most = m->max_threads;
  k->head.device = dev;
  k->head.info = (mt_KernelInfo){.name = m->name, .params = m->params,
                                 .param_count = m->param_count,
                                 .max_threads = most, .simd_width = MT_LANES,
                                 .threadgroup_static = k->threadgroup_bytes};
  memcpy(k->head.info.required_group, m->required_group,
         sizeof m->required_group);
}

static const mt_MslKernel *kernel_named(const Module *m, const char *name) {
  const mt_MslKernel *all;
  size_t n = mt_msl_kernels(m->msl, &all);
  for (size_t i = 0; i < n; i++)
    if (strcmp(all[i].name, name) == 0) return &all[i];
  return NULL;
}

/* A kernel that was found to be in order, now or by an earlier console. */
static bool is_known(Kernel *k) {
  mt_Made made;
  mt_Str word = MT_STR_INIT;
  bool known = mt_cache_read(&k->key, &made, &word);
  if (known) k->threadgroup_bytes = (size_t)made.threadgroup_bytes;
  mt_str_free(&word);
  return known;
}

static void make_known(const Kernel *k) {
  mt_Made made = {.key = k->key, .threadgroup_bytes = k->threadgroup_bytes};
  mt_Str word = MT_STR_INIT;
  mt_str_add(&word, "checked");
  mt_cache_write(&made, &word);
  mt_str_free(&word);
}

static mt_Status check_kernel(Kernel *k, mt_Device *dev, mt_Error *err) {
  if (!mt_machine(err)) return MT_FAIL;
  k->key = kernel_key(k);
  if (is_known(k)) return MT_OK;
  mt_formats_guess(k->msl, &k->formats);
  mt_PrepareInput in = input_of(k, &k->formats);
  mt_Status status = mt_prepare(&in, &k->prepared, err);
  if (status != MT_OK) return status;
  k->threadgroup_bytes = k->prepared.threadgroup_bytes;
  if (k->threadgroup_bytes > dev->info.max_threadgroup_memory)
    return mt_error(err, MT_BADARG,
                    "kernel '%s' has %zu bytes of threadgroup variables; the "
                    "limit is %zu", k->msl->name, k->threadgroup_bytes,
                    dev->info.max_threadgroup_memory);
  make_known(k);
  return MT_OK;
}

static mt_Status kernel_new(mt_Library *lib, const char *name,
                            const mt_ConstantValue *values, size_t count,
                            mt_Kernel **out, mt_Error *err) {
  Library *l = (Library *)lib;
  const mt_MslKernel *msl = kernel_named(l->module, name);
  if (!msl)
    return mt_error(err, MT_BADARG, "there is no kernel '%s' in this library",
                    name);
  if (msl->missing)
    return mt_error(err, MT_BADARG,
                    "kernel '%s' needs %s, which this device does not have: "
                    "it compiles here, but only an Apple GPU can run it",
                    name, msl->missing);
  Kernel *k = calloc(1, sizeof *k);
  if (!k) return mt_error(err, MT_FAIL, "out of memory");
  k->msl = msl;
  k->module = l->module;
  k->module->users++;
  mt_Status status = MT_FAIL;
  if (!copy_values(k, values, count))
    mt_error(err, MT_FAIL, "out of memory");
  else
    status = check_kernel(k, lib->device, err);
  if (status != MT_OK) {
    kernel_free(&k->head);
    return status;
  }
  describe(k, lib->device);
  *out = &k->head;
  return MT_OK;
}

/* -------------------------------------------------------------------- code */

/* The group function is all that is to be seen from outside. */
static void name_group(LLVMModuleRef m, LLVMValueRef group,
                       const char *symbol) {
  LLVMSetValueName2(group, symbol, strlen(symbol));
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (!LLVMIsDeclaration(f) && f != group)
      LLVMSetLinkage(f, LLVMInternalLinkage);
}

/* Only threads that return may miss a barrier. */
static bool meets(const Kernel *k, const mt_Prepared *p) {
  return p->waits && mt_spmd_meets && mt_spmd_meets(p->module, k->msl);
}

/* Build the group function; 'p' is used up. */
static mt_Status build(Kernel *k, const Special *s, mt_Made *made,
                       mt_Prepared *p, mt_Error *err) {
  mt_Status status = prepared_for(k, s, p, err);
  if (status != MT_OK) return status;
  LLVMValueRef group = NULL;
  size_t spill = 0;
  made->threadgroup_bytes = p->threadgroup_bytes;
  made->simd = false;
  if (!s->scalar && mt_spmd_build) {
    k->why.text[0] = 0;
    status = mt_spmd_build(p->module, k->msl, &s->geometry, &group, &spill,
                           &k->why);
    if (status == MT_OK) made->simd = true;
    if (status != MT_OK && status != MT_CANNOT && err) *err = k->why;
    if (status == MT_CANNOT) {
      mt_prepared_free(p);
      status = prepared_for(k, s, p, err);
    }
  }
  if (status == MT_OK && !made->simd)
    status = mt_scalar_build(p, k->msl, meets(k, p), &group, err);
  if (status != MT_OK) return status;
  made->spill_bytes = spill;
  char symbol[40];
  mt_key_symbol(&made->key, symbol);
  name_group(p->module, group, symbol);
  LLVMMetadataRef lines = made->simd ? LLVMGetSubprogram(p->function) : NULL;
  status = mt_verify(p->module, made->simd ? "vectorise" : "scalar", err);
  if (status == MT_OK) status = mt_optimise(p->module, err);
  /* The vectors' code has the kernel's lines, and now its place. */
  if (lines && !LLVMGetNamedFunction(p->module, k->msl->function))
    LLVMSetSubprogram(group, lines);
  return status;
}

static mt_Status make_object(Kernel *k, const Special *s, mt_Made *made,
                             mt_Str *object, mt_Error *err) {
  mt_Prepared p = {0};
  mt_Status status = build(k, s, made, &p, err);
  if (status == MT_OK) status = mt_emit(p.module, false, object, err);
  mt_prepared_free(&p);
  if (status == MT_OK) mt_cache_write(made, object);
  return status;
}

static mt_Key special_key(const Kernel *k, const Special *s) {
  mt_Key key = k->key;
  uint32_t words[7] = {s->geometry.size[0], s->geometry.size[1],
                       s->geometry.size[2], s->geometry.ragged[0],
                       s->geometry.ragged[1], s->geometry.ragged[2],
                       s->scalar};
  if (s->scalar) memset(words, 0, 6 * sizeof *words); /* fits any geometry */
  mt_key_add(&key, words, sizeof words);
  mt_key_add(&key, &s->formats, sizeof s->formats);
  return key;
}

/* The same for the machine of METTLE_ALSO, if there is one: to the disk only. */
static mt_Status make_also(const Kernel *k, const Special *s, mt_Error *err) {
  if (!mt_machine_turn(true)) return MT_OK;
  Kernel other = {.module = k->module, .msl = k->msl, .values = k->values,
                  .value_count = k->value_count,
                  .threadgroup_bytes = k->threadgroup_bytes};
  mt_Status status = mt_machine(err) ? MT_OK : MT_FAIL;
  mt_Str object = MT_STR_INIT;
  if (status == MT_OK) {
    other.key = kernel_key(&other);
    if (!is_known(&other)) make_known(&other);
    mt_Made made = {.key = special_key(&other, s)}, kept;
    if (!mt_cache_read(&made.key, &kept, &object))
      status = make_object(&other, s, &made, &object, err);
  }
  mt_str_free(&object);
  mt_prepared_free(&other.prepared);
  mt_machine_turn(false);
  return status;
}

static mt_Status make_code(Kernel *k, Special *s, mt_Error *err) {
  mt_Status also = make_also(k, s, err);
  if (also != MT_OK) return also;
  mt_Made made = {.key = special_key(k, s)};
  s->code = mt_cache_find(&made.key);
  if (s->code) return MT_OK;
  mt_Str object = MT_STR_INIT;
  mt_Status status = MT_OK;
  mt_Error ignored;
  mt_Key key = made.key;
  bool kept = mt_cache_read(&key, &made, &object) &&
              mt_cache_add(&made, &object, &s->code, &ignored) == MT_OK;
  if (!kept) {
    mt_str_clear(&object);
    made = (mt_Made){.key = key};
    status = make_object(k, s, &made, &object, err);
    if (status == MT_OK) status = mt_cache_add(&made, &object, &s->code, err);
  }
  mt_str_free(&object);
  return status;
}

static bool wants_scalar(void) {
  const char *engine = getenv("METTLE_ENGINE");
  return engine && strcmp(engine, "scalar") == 0;
}

static bool same(const Special *a, const Special *b) {
  if (a->scalar != b->scalar || a->pixels != b->pixels) return false;
  return memcmp(a->geometry.size, b->geometry.size,
                sizeof a->geometry.size) == 0 &&
         memcmp(a->geometry.ragged, b->geometry.ragged,
                sizeof a->geometry.ragged) == 0 &&
         memcmp(&a->formats, &b->formats, sizeof a->formats) == 0;
}

/* The code for this geometry; made if it is new. */
static mt_Status special_for(Kernel *k, const Special *want, Special **out,
                             mt_Error *err) {
  for (Special **at = &k->specials; *at; at = &(*at)->next) {
    Special *s = *at;
    if (!same(s, want)) continue;
    *at = s->next; /* to the front: it is the likeliest next time */
    s->next = k->specials;
    *out = k->specials = s;
    return MT_OK;
  }
  Special *s = calloc(1, sizeof *s);
  if (!s) return mt_error(err, MT_FAIL, "out of memory");
  *s = *want;
  mt_Status status = make_code(k, s, err);
  if (status != MT_OK) {
    free(s);
    return status;
  }
  s->next = k->specials;
  *out = k->specials = s;
  return MT_OK;
}

static Special special_of(const mt_Launch *l) {
  Special s = {.scalar = wants_scalar()};
  uint64_t grid[3] = {l->grid.x, l->grid.y, l->grid.z};
  uint64_t size[3] = {l->group.x, l->group.y, l->group.z};
  for (int d = 0; d < 3; d++) {
    s.geometry.size[d] = (uint32_t)size[d];
    s.geometry.ragged[d] = !l->by_groups && grid[d] % size[d] != 0;
  }
  mt_formats_of(l, &s.formats);
  return s;
}

static mt_Status launch(const mt_Launch *l, mt_Timing *out, mt_Error *err) {
  Kernel *k = (Kernel *)l->kernel;
  Special want = special_of(l), *s = NULL;
  mt_Status status = special_for(k, &want, &s, err);
  if (status != MT_OK) return status;
  mt_Runnable what = {.code = mt_code_entry(s->code->code),
                      .loaded = s->code->code,
                      .threadgroup_bytes = s->code->made.threadgroup_bytes,
                      .spill_bytes = s->code->made.spill_bytes,
                      .group_ns = &s->group_ns};
  return mt_run(l, &what, out, err);
}

/* ----------------------------------------------------------------- checked */

/* The prepared kernel with the watch or the counters in it, as vectors if that
** can be. */
static mt_Status build_watched(Kernel *k, const Special *s,
                               mt_CountTable *counts, mt_Watched *out,
                               mt_Prepared *p, LLVMValueRef *group,
                               mt_Error *err) {
  mt_PrepareInput in = input_of(k, &s->formats);
  in.pixels = s->pixels;
  if (counts)
    in.counts = counts;
  else
    in.sites = &out->sites;
  for (int way = s->scalar || !mt_spmd_build; way < 2; way++) {
    mt_prepared_free(p);
    mt_sites_free(&out->sites);
    if (counts) mt_counts_free(counts);
    mt_Status status = mt_prepare(&in, p, err);
    if (status != MT_OK) return status;
    out->simd = way == 0;
    if (way)
      return mt_scalar_build(p, k->msl, meets(k, p), group, err);
    status = mt_spmd_build(p->module, k->msl, &s->geometry, group,
                           &out->spill_bytes, &out->why);
    if (status != MT_CANNOT && status != MT_OK && err) *err = out->why;
    if (status != MT_CANNOT) return status;
    out->spill_bytes = 0;
  }
  return MT_FAIL;
}

static bool writes_texture(const mt_Launch *l, unsigned i) {
  return l->args[i].kind == MT_ARG_TEXTURE &&
         l->kernel->info.params[i].access & MT_WRITE;
}

/* May a texture be read as one parameter and written as another? */
static bool has_texture_twice(const mt_Launch *l) {
  for (unsigned i = 0; i < l->arg_count; i++) {
    const mt_Arg *a = &l->args[i];
    if (a->link_count || (a->kind == MT_ARG_TEXTURE && a->texture_count > 1))
      return true; /* it takes too long to find out */
    for (unsigned k = 0; k < l->arg_count && writes_texture(l, i); k++)
      if (k != i && l->args[k].kind == MT_ARG_TEXTURE &&
          l->args[k].texture == a->texture)
        return true;
  }
  return false;
}

static Special watched_as(const mt_Launch *l, bool scalar) {
  Special s = special_of(l);
  s.scalar |= scalar;
  s.pixels = has_texture_twice(l);
  return s;
}

/* Made once for a geometry, as a person checks again and again. */
mt_Status mt_watched_for(const mt_Launch *l, bool scalar,
                         const mt_Watched **out, mt_Error *err) {
  Kernel *k = (Kernel *)l->kernel;
  Special want = watched_as(l, scalar);
  for (WatchedFor *w = k->watched; w; w = w->next)
    if (same(&w->special, &want)) {
      *out = &w->code;
      return MT_OK;
    }
  WatchedFor *w = calloc(1, sizeof *w);
  if (!w) return mt_error(err, MT_FAIL, "out of memory");
  w->special = want;
  mt_Status status = mt_watched_new(l, scalar, NULL, &w->code, err);
  if (status != MT_OK) {
    free(w);
    return status;
  }
  w->next = k->watched;
  k->watched = w;
  *out = &w->code;
  return MT_OK;
}

/* Not kept on disk: the table of sites belongs to it. */
mt_Status mt_watched_new(const mt_Launch *l, bool scalar,
                         mt_CountTable *counts, mt_Watched *out,
                         mt_Error *err) {
  static uint64_t serial;
  Kernel *k = (Kernel *)l->kernel;
  Special s = watched_as(l, scalar);
  mt_Prepared p = {0};
  mt_Str object = MT_STR_INIT;
  LLVMValueRef group = NULL;
  memset(out, 0, sizeof *out);
  mt_Status status = build_watched(k, &s, counts, out, &p, &group, err);
  if (status == MT_OK) {
    char symbol[40];
    mt_Key key = special_key(k, &s);
    serial++;
    mt_key_add(&key, "checked", 7);
    mt_key_add(&key, &serial, sizeof serial);
    mt_key_symbol(&key, symbol);
    out->threadgroup_bytes = p.threadgroup_bytes;
    name_group(p.module, group, symbol);
    status = mt_verify(p.module, "check", err);
    if (status == MT_OK) status = mt_optimise(p.module, err);
    if (status == MT_OK) status = mt_emit(p.module, false, &object, err);
    if (status == MT_OK)
      status = mt_jit_load(object.text, object.length, symbol, &out->code, err);
  }
  mt_str_free(&object);
  mt_prepared_free(&p);
  if (status != MT_OK) mt_watched_free(out);
  return status;
}

void mt_place_typed(const mt_Kernel *kernel, mt_Place *place) {
  const Kernel *k = (const Kernel *)kernel;
  place->column = mt_msl_column(k->module->msl, place->line, place->column);
}

void mt_watched_free(mt_Watched *w) {
  if (w->code) mt_code_free(w->code);
  mt_sites_free(&w->sites);
  memset(w, 0, sizeof *w);
}

/* ----------------------------------------------------------------- listing */

/* As last launched, or for a threadgroup of 256. */
static mt_Status kernel_listing(mt_Kernel *kernel, mt_Listing what, mt_Str *out,
                                mt_Error *err) {
  Kernel *k = (Kernel *)kernel;
  Special s = {.scalar = wants_scalar()};
  unsigned most = k->head.info.max_threads;
  s.geometry = (mt_Geometry){.size = {most < 256 ? most : 256, 1, 1}};
  for (int d = 0; d < 3; d++)
    if (k->msl->required_group[d])
      s.geometry.size[d] = k->msl->required_group[d];
  mt_formats_guess(k->msl, &s.formats);
  if (k->specials) s = *k->specials;
  mt_Made made = {.key = special_key(k, &s)};
  mt_Prepared p = {0};
  mt_Status status = build(k, &s, &made, &p, err);
  if (status == MT_OK) {
    mt_str_addf(out, "%s kernel %s, threadgroups of %u x %u x %u, %s%s%s\n",
                what == MT_LISTING_IR ? ";" : "#", k->msl->name,
                s.geometry.size[0], s.geometry.size[1], s.geometry.size[2],
                made.simd ? "32 threads as a vector" : "thread by thread",
                !made.simd && k->why.text[0] ? ": " : "",
                made.simd ? "" : k->why.text);
    if (what == MT_LISTING_IR)
      mt_list_ir(p.module, k->module->source, out);
    else
      status = mt_list_asm(p.module, k->module->source, out, err);
  }
  mt_prepared_free(&p);
  return status;
}

__attribute__((visibility("default")))
const mt_HostEngine mt_host_engine = {
    .library_new = library_new,
    .library_free = library_free,
    .kernel_new = kernel_new,
    .kernel_free = kernel_free,
    .kernel_listing = kernel_listing,
    .launch = launch,
    .check = mt_check_run,
    .profile = mt_profile_run,
};
