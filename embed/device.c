/*
** device.c - libmettle's devices, libraries and kernels.
*/
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "embed/embed.h"

/* ------------------------------------------------------------------ devices */

/* (the list is the same one each time, filled again) */
const char *mettle_device_name(unsigned number, const char **what) {
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  const mt_DeviceEntry *list;
  pthread_mutex_lock(&one);
  size_t n = mt_device_list(&list);
  pthread_mutex_unlock(&one);
  if (what) *what = number < n ? list[number].what : NULL;
  return number < n ? list[number].name : NULL;
}

static mt_Status end_device(void *object, mt_Error *err) {
  mettle_Device *dev = object;
  (void)err;
  mt_device_close(dev->device);
  free(dev);
  return MT_OK;
}

typedef struct Open {
  const char *name;
  mettle_Device *out;
} Open;

static mt_Status open_device(void *call, mt_Error *err) {
  Open *c = call;
  return mt_device_open(c->name, &c->out->device, err);
}

mettle_Status mettle_device_open(const char *name, mettle_Device **out,
                                 mettle_Error *err) {
  Open c = {name, mt_embed_new(sizeof *c.out, end_device)};
  *out = NULL;
  if (!c.out) return mt_embed_refuse(err, "out of memory");
  mettle_Status status = mt_embed_run(open_device, &c, err);
  if (status == METTLE_OK) *out = c.out;
  else free(c.out);
  return status;
}

void mettle_device_close(mettle_Device *dev) { mt_embed_drop(dev); }

void mettle_device_info(const mettle_Device *dev, mettle_DeviceInfo *out) {
  const mt_DeviceInfo *i = mt_device_info(dev->device);
  *out = (mettle_DeviceInfo){
      .name = i->name,
      .title = i->title,
      .how = i->how,
      .is_gpu = i->is_gpu,
      .unified_memory = i->unified_memory,
      .units = i->units,
      .simd_width = i->simd_width,
      .max_threads = i->max_threads_per_group,
      .max_threadgroup_memory = i->max_threadgroup_memory,
      .max_buffer = i->max_buffer,
      .memory = i->memory};
}

typedef struct Messages {
  mettle_Device *dev;
  mt_Str text;
} Messages;

static mt_Status take_messages(void *call, mt_Error *err) {
  Messages *c = call;
  (void)err;
  mt_device_messages(c->dev->device, &c->text);
  return MT_OK;
}

mettle_Status mettle_device_messages(mettle_Device *dev, char **text,
                                     mettle_Error *err) {
  Messages c = {dev, MT_STR_INIT};
  mettle_Status status = mt_embed_run(take_messages, &c, err);
  *text = strdup(mt_str_text(&c.text));
  mt_str_free(&c.text);
  return status == METTLE_OK && !*text ? mt_embed_refuse(err, "out of memory")
                                       : status;
}

/* ---------------------------------------------------------------- libraries */

static void free_list(char **list) {
  for (char **s = list; s && *s; s++) free(*s);
  free(list);
}

/* NULL: out of memory. NULL is copied as a list without entries. */
static char **copy_list(const char *const *list) {
  size_t n = 0;
  while (list && list[n]) n++;
  char **copy = calloc(n + 1, sizeof *copy);
  for (size_t i = 0; copy && i < n; i++)
    if (!(copy[i] = strdup(list[i]))) {
      free_list(copy);
      return NULL;
    }
  return copy;
}

static mt_Status end_library(void *object, mt_Error *err) {
  mettle_Library *lib = object;
  (void)err;
  mt_library_free(lib->library);
  free_list(lib->defines);
  free_list(lib->include_dirs);
  free(lib->source);
  free(lib->file);
  free(lib->std);
  mt_embed_drop_here(lib->device);
  free(lib);
  return MT_OK;
}

static mettle_Library *note_library(mettle_Device *dev, const char *source,
                                    size_t length,
                                    const mettle_CompileOptions *o) {
  mettle_Library *lib = mt_embed_new(sizeof *lib, end_library);
  if (!lib) return NULL;
  lib->device = mt_embed_keep(dev);
  lib->length = length;
  lib->math = o->safe_math ? MT_MATH_SAFE : MT_MATH_FAST;
  lib->source = malloc(length + 1);
  lib->defines = copy_list(o->defines);
  lib->include_dirs = copy_list(o->include_dirs);
  if (o->file) lib->file = strdup(o->file);
  if (o->std) lib->std = strdup(o->std);
  if (!lib->source || !lib->defines || !lib->include_dirs ||
      (o->file && !lib->file) || (o->std && !lib->std)) {
    end_library(lib, NULL);
    return NULL;
  }
  memcpy(lib->source, source, length);
  lib->source[length] = '\0';
  return lib;
}

/* "NAME=VALUE" in two; the names are cut in 'copies', which is a copy. */
static mt_Define *split_defines(char **copies, size_t *count) {
  size_t n = 0;
  while (copies[n]) n++;
  mt_Define *out = calloc(n + 1, sizeof *out);
  for (size_t i = 0; out && i < n; i++) {
    char *equals = strchr(copies[i], '=');
    if (equals) *equals = '\0';
    out[i] = (mt_Define){copies[i], equals ? equals + 1 : ""};
  }
  *count = n;
  return out;
}

mt_Status mt_embed_compile(const mettle_Library *from, mt_Device *dev,
                           mt_Library **out, mt_Str *log, mt_Error *err) {
  mt_CompileOptions o = {.file = from->file, .math = from->math,
                         .std = from->std,
                         .include_dirs =
                             (const char *const *)from->include_dirs};
  while (o.include_dirs[o.include_dir_count]) o.include_dir_count++;
  char **copies = copy_list((const char *const *)from->defines);
  mt_Define *defines = copies ? split_defines(copies, &o.define_count) : NULL;
  o.defines = defines;
  mt_Status status =
      defines ? mt_library_new(dev, from->source, from->length, &o, out, log,
                               err)
              : mt_error(err, MT_FAIL, "out of memory");
  free(defines);
  free_list(copies);
  return status;
}

/* The first error of the log says more than a summary. */
static void first_error(const mt_Str *log, mt_Error *err) {
  const char *text = mt_str_text(log), *at = strstr(text, ": error: ");
  if (!at) return;
  while (at > text && at[-1] != '\n') at--;
  mt_error(err, MT_FAIL, "%.*s", (int)strcspn(at, "\n"), at);
}

typedef struct Compile {
  mettle_Library *lib;
  mt_Str log;
} Compile;

static mt_Status compile(void *call, mt_Error *err) {
  Compile *c = call;
  mt_Status status = mt_embed_compile(c->lib, c->lib->device->device,
                                      &c->lib->library, &c->log, err);
  if (status == MT_FAIL || status == MT_BADARG) first_error(&c->log, err);
  return status;
}

mettle_Status mettle_library_new(mettle_Device *dev, const char *source,
                                 size_t length,
                                 const mettle_CompileOptions *options,
                                 mettle_Library **out, char **log,
                                 mettle_Error *err) {
  mettle_CompileOptions defaults = {0};
  Compile c = {NULL, MT_STR_INIT};
  *out = NULL;
  if (log) *log = NULL;
  MT_NEED(dev, "device");
  MT_NEED(source, "source");
  c.lib = note_library(dev, source, length, options ? options : &defaults);
  if (!c.lib) return mt_embed_refuse(err, "out of memory");
  mettle_Status status = mt_embed_run(compile, &c, err);
  if (log) *log = strdup(mt_str_text(&c.log));
  mt_str_free(&c.log);
  if (status == METTLE_OK) *out = c.lib;
  else mt_embed_drop(c.lib);
  return status;
}

void mettle_library_free(mettle_Library *lib) { mt_embed_drop(lib); }

const char *mettle_library_kernel(const mettle_Library *lib, unsigned number) {
  const char *const *names;
  return number < mt_library_kernels(lib->library, &names) ? names[number]
                                                           : NULL;
}

mettle_Status mettle_library_constant(const mettle_Library *lib,
                                      unsigned number,
                                      mettle_ConstantInfo *out) {
  const mt_Constant *all;
  *out = (mettle_ConstantInfo){0};
  if (number >= mt_library_constants(lib->library, &all)) return METTLE_BADARG;
  const mt_Constant *c = &all[number];
  *out = (mettle_ConstantInfo){.name = c->name, .index = c->index};
  if (!c->type) return METTLE_OK;
  out->type = c->type->name;
  out->size = c->type->size;
  out->scalar = mt_scalar_name(c->type->scalar);
  out->components = c->type->rows ? c->type->rows : 1;
  return METTLE_OK;
}

/* ------------------------------------------------------------------ kernels */

static mt_Status end_kernel(void *object, mt_Error *err) {
  mettle_Kernel *k = object;
  (void)err;
  mt_kernel_free(k->kernel);
  for (size_t i = 0; k->values && i < k->value_count; i++)
    free((void *)(uintptr_t)k->values[i].bytes);
  free(k->values);
  free(k->params);
  mt_embed_drop_here(k->library);
  free(k);
  return MT_OK;
}

typedef struct Take {
  mettle_Kernel *k;
  const char *name;
} Take;

static bool number_params(mettle_Kernel *k) {
  const mt_KernelInfo *info = mt_kernel_info(k->kernel);
  k->params = calloc(info->param_count + 1, sizeof *k->params);
  if (!k->params) return false;
  for (unsigned i = 0; i < info->param_count; i++)
    if (info->params[i].kind != MT_PARAM_BUILTIN)
      k->params[k->param_count++] = i;
  return true;
}

static mt_Status take(void *call, mt_Error *err) {
  Take *c = call;
  const char *const *names;
  size_t n = mt_library_kernels(c->k->library->library, &names);
  if (!c->name && n > 1)
    return mt_error(err, MT_BADARG,
                    "the source has %zu kernels, among them %s and %s: say "
                    "which by its name", n, names[0], names[1]);
  mt_Status status =
      mt_kernel_new(c->k->library->library,
                    c->name ? c->name : n ? names[0] : "", c->k->values,
                    c->k->value_count, &c->k->kernel, err);
  if (status == MT_OK && !number_params(c->k))
    return mt_error(err, MT_FAIL, "out of memory");
  return status;
}

/* The values are kept: the kernel may be made again, for the host. */
static bool keep_values(mettle_Kernel *k, const mettle_Constant *values,
                        size_t count) {
  k->values = calloc(count + 1, sizeof *k->values);
  for (size_t i = 0; k->values && i < count; i++) {
    void *bytes = malloc(values[i].size + 1);
    if (!bytes) return false;
    memcpy(bytes, values[i].bytes, values[i].size);
    k->values[i] = (mt_ConstantValue){values[i].index, bytes, values[i].size};
    k->value_count++;
  }
  return k->values != NULL;
}

mettle_Status mettle_kernel_new(mettle_Library *lib, const char *name,
                                const mettle_Constant *values, size_t count,
                                mettle_Kernel **out, mettle_Error *err) {
  *out = NULL;
  MT_NEED(lib, "library");
  Take c = {mt_embed_new(sizeof *c.k, end_kernel), name};
  if (!c.k) return mt_embed_refuse(err, "out of memory");
  c.k->library = mt_embed_keep(lib);
  mettle_Status status = keep_values(c.k, values, count)
                             ? mt_embed_run(take, &c, err)
                             : mt_embed_refuse(err, "out of memory");
  if (status == METTLE_OK) *out = c.k;
  else mt_embed_drop(c.k);
  return status;
}

mettle_Status mettle_kernel_compile(mettle_Device *dev, const char *source,
                                    const char *name, mettle_Kernel **out,
                                    mettle_Error *err) {
  mettle_Library *lib;
  *out = NULL;
  MT_NEED(source, "source");
  mettle_Status status =
      mettle_library_new(dev, source, strlen(source), NULL, &lib, NULL, err);
  if (status == METTLE_OK)
    status = mettle_kernel_new(lib, name, NULL, 0, out, err);
  mettle_library_free(lib); /* the kernel keeps it */
  return status;
}

void mettle_kernel_free(mettle_Kernel *k) { mt_embed_drop(k); }

const char *mettle_kernel_name(const mettle_Kernel *k) {
  return mt_kernel_info(k->kernel)->name;
}

unsigned mettle_kernel_params(const mettle_Kernel *k) {
  return k->param_count;
}

mettle_Status mettle_kernel_param(const mettle_Kernel *k, unsigned number,
                                  mettle_Param *out) {
  static const mettle_ParamKind kinds[] = {
      [MT_PARAM_BUFFER] = METTLE_BUFFER,
      [MT_PARAM_THREADGROUP] = METTLE_THREADGROUP,
      [MT_PARAM_TEXTURE] = METTLE_TEXTURE,
      [MT_PARAM_SAMPLER] = METTLE_SAMPLER};
  *out = (mettle_Param){0};
  if (number >= k->param_count) return METTLE_BADARG;
  const mt_KernelInfo *info = mt_kernel_info(k->kernel);
  const mt_Param *p = &info->params[k->params[number]];
  unsigned uses = mt_param_uses(info, k->params[number]);
  const mt_Type *t = p->type;
  out->name = p->name;
  out->kind = kinds[p->kind];
  out->is_read = (uses & MT_READ) != 0;
  out->is_written = (uses & MT_WRITE) != 0;
  out->is_value = p->reference && p->access == MT_READ;
  out->is_used = p->used;
  if (!t) return METTLE_OK;
  out->type = t->name;
  out->size = t->size;
  out->align = t->align;
  if (t->kind == MT_TYPE_SCALAR || t->kind == MT_TYPE_VECTOR ||
      t->kind == MT_TYPE_PACKED || t->kind == MT_TYPE_ATOMIC) {
    out->scalar = mt_scalar_name(t->scalar);
    out->components = t->rows;
  }
  return METTLE_OK;
}

int mettle_kernel_find(const mettle_Kernel *k, const char *name) {
  const mt_KernelInfo *info = mt_kernel_info(k->kernel);
  for (unsigned i = 0; i < k->param_count; i++)
    if (strcmp(info->params[k->params[i]].name, name) == 0) return (int)i;
  return -1;
}
