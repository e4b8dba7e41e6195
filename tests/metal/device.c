/*
** device.c - the stand-in's device, libraries, pipelines, buffers, textures:
** Metal's classes over the host device.
*/
#include "tests/metal/capture.h"
#include "tests/metal/counters.h"
#include "tests/metal/device.h"
#include "tests/metal/personality.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct DeviceObject {
  Object head;
} DeviceObject;

typedef struct LibraryObject {
  Object head;
  mt_Library *library;
  char *source; /* owned */
  bool logging;
} LibraryObject;

typedef struct FunctionObject {
  Object head;
  LibraryObject *library; /* owned */
  char *name;
  DictionaryObject *values; /* owned; NULL: not specialised */
  struct ValuesObject *given; /* owned */
} FunctionObject;

typedef struct OptionsObject {
  Object head;
  bool safe, precise, logging;
  DictionaryObject *macros; /* owned */
  char std[12]; /* the version of MSL; "": the newest */
} OptionsObject;

typedef struct ValuesObject { /* MTLFunctionConstantValues */
  Object head;
  mt_ConstantValue values[64];
  char bytes[64][64];
  uint64_t types[64];
  size_t count;
} ValuesObject;

typedef struct ConstantObject {
  Object head;
  mt_Constant constant;
} ConstantObject;

typedef struct TextureDescObject {
  Object head;
  mt_TextureDesc desc;
  uint64_t type, format;
  uint64_t usage;
  uint64_t storage; /* MTLStorageMode: shared 0, managed 1 */
} TextureDescObject;

/* The host device is one thread's; here the last who holds a buffer or a
** pipeline may be the queue. */
static pthread_mutex_t host_lock = PTHREAD_MUTEX_INITIALIZER;

/* STANDIN_COUNTS tells each label, as a capture shows it. */
void standin_label(void *object, Selector s, StringObject *text) {
  const Object *o = object;
  if (text && getenv("STANDIN_COUNTS"))
    fprintf(stderr, "label of %s: %s\n", o->isa->name, text->text);
  if (text == NULL || text->text[0] == '\0')
    standin_problem("%s without a text", s);
}

mt_Device *standin_host(void) {
  static mt_Device *host;
  mt_Error err;
  if (host == NULL && mt_device_open("host", &host, &err) != MT_OK) {
    standin_problem("the host device is not to be had: %s", err.text);
    _Exit(3);
  }
  return host;
}

/* ---------------------------------------------------------------- options */

static void options_math(OptionsObject *o, Selector s, int64_t mode) {
  (void)s;
  o->safe = mode == 0;
}
static void options_functions(OptionsObject *o, Selector s, int64_t precise) {
  (void)s;
  o->precise = precise == 1;
}
static void options_fast(OptionsObject *o, Selector s, bool fast) {
  (void)s;
  o->safe = o->precise = !fast;
}

static void options_logging(OptionsObject *o, Selector s, bool on) {
  (void)s;
  o->logging = on;
}

static void options_version(OptionsObject *o, Selector s, uint64_t version) {
  (void)s;
  snprintf(o->std, sizeof o->std, "metal%u.%u", (unsigned)(version >> 16) % 10,
           (unsigned)(version & 0xffff) % 10);
}

static void options_macros(OptionsObject *o, Selector s,
                           DictionaryObject *macros) {
  (void)s;
  standin_retain(macros);
  standin_release(o->macros);
  o->macros = macros;
}

static void options_destroy(Object *o) {
  standin_release(((OptionsObject *)o)->macros);
}
static const Method options_methods[] = {
    METHOD("setMathMode:", options_math),
    METHOD("setMathFloatingPointFunctions:", options_functions),
    METHOD("setFastMathEnabled:", options_fast),
    METHOD("setEnableLogging:", options_logging),
    METHOD("setLanguageVersion:", options_version),
    METHOD("setPreprocessorMacros:", options_macros),
    {NULL, NULL}};
static const ClassOf MTLCompileOptions = {
    standin_class_mark, "MTLCompileOptions", sizeof(OptionsObject),
    options_methods, options_destroy};

/* -------------------------------------------------- functions and constants */

static void *constant_name(ConstantObject *c, Selector s) {
  (void)s;
  return standin_autorelease(standin_string(c->constant.name));
}
static uint64_t constant_index(ConstantObject *c, Selector s) {
  (void)s;
  return c->constant.index;
}
static uint64_t constant_type(ConstantObject *c, Selector s) {
  (void)s;
  return standin_data_type(c->constant.type);
}
static bool constant_required(ConstantObject *c, Selector s) {
  (void)s;
  return c->constant.required;
}
static const Method constant_methods[] = {METHOD("name", constant_name),
                                          METHOD("index", constant_index),
                                          METHOD("type", constant_type),
                                          METHOD("required", constant_required),
                                          {NULL, NULL}};
static const ClassOf MTLFunctionConstant = {
    standin_class_mark, "MTLFunctionConstant", sizeof(ConstantObject),
    constant_methods, NULL};

/* Bytes of an MTLDataType that a constant can have: scalars and vectors. */
static size_t type_bytes(uint64_t type) {
  static const struct {
    uint64_t first;
    size_t size;
  } runs[] = {{3, 4},  {16, 2}, {29, 4}, {33, 4}, {37, 2}, {41, 2},
              {45, 1}, {49, 1}, {53, 1}, {81, 8}, {85, 8}, {121, 2}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
    if (type >= runs[i].first && type < runs[i].first + 4) {
      size_t n = type - runs[i].first + 1;
      return runs[i].size * (n == 3 ? 4 : n);
    }
  return 0;
}

static void values_set(ValuesObject *v, Selector s, const void *bytes,
                       uint64_t type, uint64_t index) {
  size_t size = type_bytes(type);
  if (size == 0 || bytes == NULL || v->count == 64) {
    standin_problem("%s with type %d", s, (int)type);
    return;
  }
  memcpy(v->bytes[v->count], bytes, size);
  v->types[v->count] = type;
  v->values[v->count] =
      (mt_ConstantValue){(unsigned)index, v->bytes[v->count], size};
  v->count++;
}

static const Method values_methods[] = {
    METHOD("setConstantValue:type:atIndex:", values_set), {NULL, NULL}};
static const ClassOf MTLFunctionConstantValues = {
    standin_class_mark, "MTLFunctionConstantValues", sizeof(ValuesObject),
    values_methods, NULL};

static uint64_t function_type(FunctionObject *f, Selector s) {
  (void)f, (void)s;
  return 3; /* kernel */
}

static void *function_constants(FunctionObject *f, Selector s) {
  (void)s;
  const mt_Constant *known;
  size_t n = mt_library_constants(f->library->library, &known);
  DictionaryObject *d = standin_dictionary();
  for (size_t i = 0; i < n; i++) {
    ConstantObject *c = standin_new(&MTLFunctionConstant);
    c->constant = known[i];
    standin_dictionary_set(d, known[i].name, c);
  }
  return standin_autorelease(d);
}

static void function_destroy(Object *o) {
  FunctionObject *f = (FunctionObject *)o;
  free(f->name);
  standin_release(f->library);
  standin_release(f->given);
}

static const Method function_methods[] = {
    METHOD("functionType", function_type),
    METHOD("functionConstantsDictionary", function_constants),
    {NULL, NULL}};
static const ClassOf MTLFunction = {standin_class_mark, "MTLFunction",
                                    sizeof(FunctionObject), function_methods,
                                    function_destroy};

/* -------------------------------------------------------------- libraries */

static void *library_names(LibraryObject *l, Selector s) {
  (void)s;
  const char *const *names;
  size_t n = mt_library_kernels(l->library, &names);
  ArrayObject *list = standin_array();
  /* not in order */
  for (size_t i = n; i-- > 0;)
    standin_array_add(list, standin_string(names[i]));
  return standin_autorelease(list);
}

static FunctionObject *make_function(LibraryObject *l, StringObject *name) {
  const char *const *names;
  size_t n = mt_library_kernels(l->library, &names), i = 0;
  while (i < n && strcmp(names[i], name->text) != 0) i++;
  if (i == n) return NULL;
  FunctionObject *f = standin_new(&MTLFunction);
  f->library = standin_retain(l);
  f->name = strdup(name->text);
  return f;
}

static void *library_function(LibraryObject *l, Selector s,
                              StringObject *name) {
  (void)s;
  return make_function(l, name);
}

static void *library_special(LibraryObject *l, Selector s, StringObject *name,
                             ValuesObject *values, void **error) {
  (void)s;
  FunctionObject *f = make_function(l, name);
  if (f == NULL && error) *error = standin_error("no such function", 5);
  if (f) f->given = standin_retain(values);
  return f;
}

static void library_destroy(Object *o) {
  pthread_mutex_lock(&host_lock);
  mt_library_free(((LibraryObject *)o)->library);
  free(((LibraryObject *)o)->source);
  pthread_mutex_unlock(&host_lock);
}
static const Method library_methods[] = {
    METHOD("functionNames", library_names),
    METHOD("newFunctionWithName:", library_function),
    METHOD("newFunctionWithName:constantValues:error:", library_special),
    {NULL, NULL}};
static const ClassOf MTLLibrary = {standin_class_mark, "MTLLibrary",
                                   sizeof(LibraryObject), library_methods,
                                   library_destroy};

/* Apple's compiler has no folder to look in. The host would find a header that
** is still to be included in the current one. */
static bool asks_for_file(const char *source, mt_Str *log) {
  int line = 1;
  for (const char *p = source; p; line++) {
    char name[256];
    if (sscanf(p, " # include \"%255[^\"\n]\"", name) == 1 &&
        strcspn(p, "#") < strcspn(p, "\n") && name[0] != '/' &&
        access(name, F_OK) == 0) {
      mt_str_addf(log,
                  "program_source:%d:10: fatal error: '%s' file not found\n",
                  line, name);
      return true;
    }
    if ((p = strchr(p, '\n'))) p++;
  }
  return false;
}

static void *device_library(DeviceObject *d, Selector s, StringObject *source,
                            OptionsObject *o, void **error) {
  (void)d, (void)s;
  mt_Define defines[64];
  mt_CompileOptions options = {
      .math = o && o->safe ? MT_MATH_SAFE : MT_MATH_FAST, .defines = defines,
      .std = o && o->std[0] ? o->std : NULL};
  mt_Library *library;
  mt_Str log = MT_STR_INIT;
  mt_Error err;
  if (o && o->safe != o->precise)
    standin_problem("the math mode is %s, and the functions are %s",
                    o->safe ? "safe" : "fast", o->precise ? "precise" : "fast");
  for (uint64_t i = 0; o && o->macros && i < o->macros->keys->count && i < 64;
       i++)
    defines[options.define_count++] =
        (mt_Define){((StringObject *)o->macros->keys->items[i])->text,
                    ((StringObject *)o->macros->values->items[i])->text};
  if (source == NULL) {
    standin_problem("newLibraryWithSource: nil");
    return NULL;
  }
  mt_Status status = MT_FAIL;
  char why[256];
  if (standin_too_old(source->text, why, sizeof why)) {
    mt_str_addf(&log, "program_source:1:1: error: unknown type name\n");
  } else if (!asks_for_file(source->text, &log)) {
    pthread_mutex_lock(&host_lock);
    status = mt_library_new(standin_host(), source->text, strlen(source->text),
                            &options, &library, &log, &err);
    pthread_mutex_unlock(&host_lock);
  }
  /* warnings too come as an error, beside the library */
  mt_Str said = MT_STR_INIT;
  mt_str_addf(&said, "%s%s", status == MT_OK ? "" : "Compilation failed: \n\n",
              log.length ? mt_str_text(&log) : err.text);
  if (error && (status != MT_OK || log.length))
    *error = standin_error(said.text, 3);
  mt_str_free(&said);
  mt_str_free(&log);
  if (status != MT_OK) return NULL;
  LibraryObject *l = standin_new(&MTLLibrary);
  l->library = library;
  l->source = strdup(source->text);
  l->logging = o && o->logging;
  return l;
}

/* -------------------------------------------------------------- pipelines */

/* Registers decide on a GPU; here STANDIN_MAX_THREADS does. */
unsigned standin_most_threads(const mt_KernelInfo *info) {
  const char *text = getenv("STANDIN_MAX_THREADS");
  unsigned most = text ? (unsigned)atoi(text) : info->max_threads;
  return most < info->max_threads ? most : info->max_threads;
}

static uint64_t pipeline_threads(PipelineObject *p, Selector s) {
  (void)s;
  return standin_most_threads(mt_kernel_info(p->kernel));
}
/* The host's engine has 32 lanes whatever is said here: STANDIN_WIDTH is for
** what is made of the number. */
static uint64_t pipeline_width(PipelineObject *p, Selector s) {
  (void)s;
  const char *text = getenv("STANDIN_WIDTH");
  return text ? (uint64_t)atoi(text) : mt_kernel_info(p->kernel)->simd_width;
}
static uint64_t pipeline_shared(PipelineObject *p, Selector s) {
  (void)s;
  return mt_kernel_info(p->kernel)->threadgroup_static;
}
static Size3 pipeline_required(PipelineObject *p, Selector s) {
  (void)s;
  const unsigned *r = mt_kernel_info(p->kernel)->required_group;
  return (Size3){r[0], r[1], r[2]};
}

static void pipeline_destroy(Object *o) {
  pthread_mutex_lock(&host_lock);
  mt_kernel_free(((PipelineObject *)o)->kernel);
  pthread_mutex_unlock(&host_lock);
}
static const Method pipeline_methods[] = {
    METHOD("maxTotalThreadsPerThreadgroup", pipeline_threads),
    METHOD("threadExecutionWidth", pipeline_width),
    METHOD("requiredThreadsPerThreadgroup", pipeline_required),
    METHOD("staticThreadgroupMemoryLength", pipeline_shared),
    {NULL, NULL}};
const ClassOf standin_MTLPipeline = {
    standin_class_mark, "MTLComputePipelineState", sizeof(PipelineObject),
    pipeline_methods, pipeline_destroy};

/* The host counts what a function constant may leave out as not used, whatever
** the constant is. Metal knows better: with all of them on, nothing is left
** out. */
static bool all_on(const ValuesObject *given) {
  enum { TYPE_BOOL = 53 };
  bool any = false;
  for (size_t i = 0; given && i < given->count; i++) {
    if (given->types[i] != TYPE_BOOL) continue;
    if (!given->bytes[i][0]) return false;
    any = true;
  }
  return any;
}

/* What compiles for any GPU may be more than this one has: that shows here. */
static bool fits_gpu(const FunctionObject *f, mt_Error *err) {
  char why[256];
  if (!standin_lacks(f->library->source, f->name, why, sizeof why)) return true;
  mt_error(err, MT_FAIL, "Compute function %s is not supported by %s", f->name,
           standin_gpu()->title);
  return false;
}

static void *device_pipeline(DeviceObject *d, Selector s, FunctionObject *f,
                             uint64_t options, void **reflection,
                             void **error) {
  (void)d, (void)s;
  mt_Kernel *kernel = NULL;
  mt_Error err;
  pthread_mutex_lock(&host_lock);
  mt_Status status = mt_kernel_new(
      f->library->library, f->name, f->given ? f->given->values : NULL,
      f->given ? f->given->count : 0, &kernel, &err);
  if (status == MT_OK && !fits_gpu(f, &err)) {
    mt_kernel_free(kernel);
    status = MT_FAIL;
  }
  pthread_mutex_unlock(&host_lock);
  if (status != MT_OK) {
    if (error) *error = standin_error(err.text, 2);
    return NULL;
  }
  PipelineObject *p = standin_new(&standin_MTLPipeline);
  p->kernel = kernel;
  p->logging = f->library->logging;
  if (reflection && (options & 1))
    *reflection = standin_reflection(mt_kernel_info(kernel), all_on(f->given));
  return p;
}

static void *device_plain_pipeline(DeviceObject *d, Selector s,
                                   FunctionObject *f, void **error) {
  return device_pipeline(d, s, f, 0, NULL, error);
}

/* ---------------------------------------------------------------- buffers */

/* MTLResourceStorageModeManaged; shared is 0 */
#define MANAGED 16

static void *device_buffer(DeviceObject *d, Selector s, uint64_t length,
                           uint64_t options) {
  (void)d;
  mt_Buffer *buffer;
  mt_Error err;
  if (length == 0 || options != (standin_gpu()->unified ? 0 : MANAGED))
    standin_problem("%s with length %d, options %d (shared where memory is, "
                    "else managed: over the bus it is slow)",
                    s, (int)length, (int)options);
  pthread_mutex_lock(&host_lock);
  mt_Status status = mt_buffer_new(standin_host(), length, &buffer, &err);
  pthread_mutex_unlock(&host_lock);
  if (status != MT_OK) return NULL;
  BufferObject *b = standin_new(&standin_MTLBuffer);
  b->buffer = buffer;
  if (options == MANAGED && (b->copy = calloc(1, length)) == NULL) abort();
  return b;
}

static void *buffer_contents(BufferObject *b, Selector s) {
  (void)s;
  return b->copy ? b->copy : mt_buffer_contents(b->buffer);
}
static void buffer_modified(BufferObject *b, Selector s, Range range) {
  size_t size = mt_buffer_size(b->buffer);
  if (b->copy == NULL || range.length == 0 || range.location > size ||
      range.length > size - range.location)
    standin_problem("%s of %d bytes at %d of what is not managed, or past its "
                    "end",
                    s, (int)range.length, (int)range.location);
  else
    memcpy((char *)mt_buffer_contents(b->buffer) + range.location,
           b->copy + range.location, range.length);
}
static uint64_t buffer_length(BufferObject *b, Selector s) {
  (void)s;
  return mt_buffer_size(b->buffer);
}
static uint64_t buffer_address(BufferObject *b, Selector s) {
  (void)s;
  return (uint64_t)(uintptr_t)mt_buffer_contents(b->buffer);
}
static void buffer_destroy(Object *o) {
  free(((BufferObject *)o)->copy);
  pthread_mutex_lock(&host_lock);
  mt_buffer_free(((BufferObject *)o)->buffer);
  pthread_mutex_unlock(&host_lock);
}
static const Method buffer_methods[] = {METHOD("contents", buffer_contents),
                                        METHOD("length", buffer_length),
                                        METHOD("didModifyRange:",
                                               buffer_modified),
                                        METHOD("gpuAddress", buffer_address),
                                        METHOD("setLabel:", standin_label),
                                        {NULL, NULL}};
const ClassOf standin_MTLBuffer = {standin_class_mark, "MTLBuffer",
                                   sizeof(BufferObject), buffer_methods,
                                   buffer_destroy};

/* --------------------------------------------------------------- textures */

/* MTLPixelFormat of each of ours, in their order. */
#define X(id, name, metal, number, ...) number,
static const uint16_t pixel_formats[MT_PIXEL_FORMATS] = {__MT_PIXEL_FORMATS(X)};
#undef X
static const uint8_t texture_kinds[] = {[MT_TEXTURE_1D] = 0,
                                        [MT_TEXTURE_1D_ARRAY] = 1,
                                        [MT_TEXTURE_2D] = 2,
                                        [MT_TEXTURE_2D_ARRAY] = 3,
                                        [MT_TEXTURE_3D] = 7};

static void *desc_init(TextureDescObject *o, Selector s) {
  (void)s;
  o->desc = (mt_TextureDesc){MT_TEXTURE_2D, MT_R8UNORM, 1, 1, 1, 1};
  return o;
}

static void desc_type(TextureDescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->type = v;
}
static void desc_format(TextureDescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->format = v;
}
static void desc_width(TextureDescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->desc.width = (unsigned)v;
}
static void desc_height(TextureDescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->desc.height = (unsigned)v;
}
static void desc_depth(TextureDescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->desc.depth = (unsigned)v;
}
static void desc_layers(TextureDescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->desc.layers = (unsigned)v;
}
static void desc_storage(TextureDescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->storage = v;
}
static void desc_usage(TextureDescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->usage = v;
}
static const Method desc_methods[] = {METHOD("init", desc_init),
                                      METHOD("setTextureType:", desc_type),
                                      METHOD("setPixelFormat:", desc_format),
                                      METHOD("setWidth:", desc_width),
                                      METHOD("setHeight:", desc_height),
                                      METHOD("setDepth:", desc_depth),
                                      METHOD("setArrayLength:", desc_layers),
                                      METHOD("setStorageMode:", desc_storage),
                                      METHOD("setUsage:", desc_usage),
                                      {NULL, NULL}};
static const ClassOf MTLTextureDescriptor = {
    standin_class_mark, "MTLTextureDescriptor", sizeof(TextureDescObject),
    desc_methods, NULL};

static void *device_texture(DeviceObject *d, Selector s, TextureDescObject *o) {
  (void)d;
  mt_TextureDesc desc = o->desc;
  mt_Texture *texture;
  mt_Error err;
  int format = 0, kind = 0;
  while (format < MT_PIXEL_FORMATS && pixel_formats[format] != o->format)
    format++;
  while (kind < 5 && texture_kinds[kind] != o->type) kind++;
  bool known = format < MT_PIXEL_FORMATS && kind < 5;
  bool depth = known && mt_pixel((mt_PixelFormat)format)->depth;
  if (!known || (!depth && o->usage != 3) || o->storage > 1 ||
      (!standin_gpu()->apple && o->storage == 0)) {
    standin_problem("%s with format %d, type %d, or not shared (managed on "
                    "a GPU that is not Apple's) for reading and writing",
                    s, (int)o->format, (int)o->type);
    return NULL;
  }
  if (depth && (o->usage != 1 || !standin_gpu()->apple)) {
    standin_problem("%s: a depth texture is only read, and only Apple's GPUs "
                    "share it",
                    s);
    return NULL;
  }
  desc.format = (mt_PixelFormat)format;
  desc.kind = (mt_TextureKind)kind;
  pthread_mutex_lock(&host_lock);
  mt_Status status = mt_texture_new(standin_host(), &desc, &texture, &err);
  pthread_mutex_unlock(&host_lock);
  if (status != MT_OK) return NULL;
  TextureObject *t = standin_new(&standin_MTLTexture);
  t->texture = texture;
  t->managed = o->storage == 1;
  return t;
}

typedef struct Region { Size3 origin, size; } Region;

/* Whole layers only, which is all that the device asks for: the layer is put
** into, or taken out of, a copy of the whole texture. */
static void move_layer(TextureObject *t, Selector s, Region r, uint64_t slice,
                       uint64_t row, uint64_t image, void *pixels, bool in) {
  const mt_TextureDesc *d = mt_texture_desc(t->texture);
  size_t line = mt_pixel_size(d->format) * d->width,
         layer = line * d->height * d->depth;
  bool one_row = d->kind == MT_TEXTURE_1D || d->kind == MT_TEXTURE_1D_ARRAY;
  mt_Error err;
  if (r.size.width != d->width || r.size.height != d->height ||
      r.size.depth != d->depth || r.origin.width || slice >= d->layers) {
    standin_problem("%s: the region does not fit the texture", s);
    return;
  }
  /* by Apple's documentation: no rows in one dimension, images in three
  ** alone */
  if (row != (one_row ? 0 : line)) {
    standin_problem("%s: bytesPerRow is %d", s, (int)row);
    return;
  }
  if (image != (d->kind == MT_TEXTURE_3D ? line * d->height : 0)) {
    standin_problem("%s: bytesPerImage is %d", s, (int)image);
    return;
  }
  char *whole = malloc(layer * d->layers);
  if (mt_texture_read(t->texture, whole, layer * d->layers, &err) != MT_OK)
    standin_problem("%s: %s", s, err.text);
  if (in) memcpy(whole + slice * layer, pixels, layer);
  else memcpy(pixels, whole + slice * layer, layer);
  if (in &&
      mt_texture_write(t->texture, whole, layer * d->layers, &err) != MT_OK)
    standin_problem("%s: %s", s, err.text);
  free(whole);
}

static void texture_replace(TextureObject *t, Selector s, Region r,
                            uint64_t level, uint64_t slice, const void *bytes,
                            uint64_t row, uint64_t image) {
  (void)level;
  move_layer(t, s, r, slice, row, image, (void *)bytes, true);
}

static void texture_get(TextureObject *t, Selector s, void *bytes, uint64_t row,
                        uint64_t image, Region r, uint64_t level,
                        uint64_t slice) {
  (void)level;
  if (t->managed && t->stale)
    standin_problem("%s of a managed texture that was not synchronized", s);
  move_layer(t, s, r, slice, row, image, bytes, false);
}

static uint64_t texture_id(TextureObject *t, Selector s) {
  (void)s;
  return (uint64_t)(uintptr_t)t;
}
static void texture_destroy(Object *o) {
  pthread_mutex_lock(&host_lock);
  mt_texture_free(((TextureObject *)o)->texture);
  pthread_mutex_unlock(&host_lock);
}
static const Method texture_methods[] = {
    METHOD(
        "replaceRegion:mipmapLevel:slice:withBytes:bytesPerRow:bytesPerImage:",
        texture_replace),
    METHOD("getBytes:bytesPerRow:bytesPerImage:fromRegion:mipmapLevel:slice:",
           texture_get),
    METHOD("gpuResourceID", texture_id),
    {NULL, NULL}};
const ClassOf standin_MTLTexture = {standin_class_mark, "MTLTexture",
                                    sizeof(TextureObject), texture_methods,
                                    texture_destroy};

/* --------------------------------------------------------------- samplers */

typedef struct SamplerDescObject {
  Object head;
  mt_SamplerDesc desc;
  bool in_arguments;
} SamplerDescObject;

static SamplerObject *samplers; /* all that live */

static void sampler_filter(SamplerDescObject *o, Selector s, uint64_t v) {
  (void)s;
  o->desc.linear = v == 1;
}
static void sampler_coordinates(SamplerDescObject *o, Selector s, bool v) {
  (void)s;
  o->desc.pixel = !v;
}

static void sampler_in_arguments(SamplerDescObject *o, Selector s, bool v) {
  (void)s;
  o->in_arguments = v;
}

static void sampler_address(SamplerDescObject *o, Selector s, uint64_t v) {
  /* MTLSamplerAddressMode */
  static const unsigned ours[] = {[0] = 0, [2] = 2, [3] = 3, [4] = 1};
  if (v > 4 || v == 1) standin_problem("%s %d", s, (int)v);
  else o->desc.address = ours[v];
}

static void sampler_compare(SamplerDescObject *o, Selector s, uint64_t v) {
  /* MTLCompareFunction to MSL's compare_func */
  static const unsigned ours[] = {8, 1, 5, 2, 3, 6, 4, 7};
  if (v > 7) standin_problem("%s %d", s, (int)v);
  else o->desc.compare = ours[v];
}

static const Method sampler_desc_methods[] = {
    METHOD("setMinFilter:", sampler_filter),
    METHOD("setMagFilter:", sampler_filter),
    METHOD("setNormalizedCoordinates:", sampler_coordinates),
    METHOD("setSAddressMode:", sampler_address),
    METHOD("setTAddressMode:", sampler_address),
    METHOD("setRAddressMode:", sampler_address),
    METHOD("setCompareFunction:", sampler_compare),
    METHOD("setSupportArgumentBuffers:", sampler_in_arguments),
    {NULL, NULL}};
static const ClassOf MTLSamplerDescriptor = {
    standin_class_mark, "MTLSamplerDescriptor", sizeof(SamplerDescObject),
    sampler_desc_methods, NULL};

static uint64_t sampler_id(SamplerObject *o, Selector s) {
  if (!o->in_arguments)
    standin_problem("%s of a sampler that was not made for argument buffers",
                    s);
  return (uint64_t)(uintptr_t)o;
}

static void sampler_destroy(Object *o) {
  SamplerObject **at = &samplers;
  while (*at && &(*at)->head != o) at = &(*at)->next;
  if (*at) *at = (*at)->next;
}

SamplerObject *standin_sampler_at(uint64_t id) {
  SamplerObject *s = samplers;
  while (s && (uint64_t)(uintptr_t)s != id) s = s->next;
  return s;
}

static const Method sampler_methods[] = {METHOD("gpuResourceID", sampler_id),
                                         {NULL, NULL}};
const ClassOf standin_MTLSampler = {standin_class_mark, "MTLSamplerState",
                                    sizeof(SamplerObject), sampler_methods,
                                    sampler_destroy};

static void *device_sampler(DeviceObject *d, Selector s, SamplerDescObject *o) {
  (void)d, (void)s;
  SamplerObject *sampler = standin_new(&standin_MTLSampler);
  sampler->desc = o->desc;
  sampler->in_arguments = o->in_arguments;
  sampler->next = samplers;
  samplers = sampler;
  return sampler;
}

/* ----------------------------------------------------------------- device */

static void *device_name(DeviceObject *d, Selector s) {
  (void)d, (void)s;
  return standin_autorelease(standin_string(standin_gpu()->title));
}
static uint64_t device_arguments(DeviceObject *d, Selector s) {
  (void)d, (void)s;
  return (uint64_t)standin_gpu()->arguments - 1;
}
static Size3 device_threads(DeviceObject *d, Selector s) {
  (void)d, (void)s;
  return (Size3){1024, 1024, 1024};
}
static bool device_unified(DeviceObject *d, Selector s) {
  (void)d, (void)s;
  return standin_gpu()->unified;
}
static uint64_t device_shared(DeviceObject *d, Selector s) {
  (void)d, (void)s;
  return mt_device_info(standin_host())->max_threadgroup_memory;
}
static uint64_t device_longest(DeviceObject *d, Selector s) {
  (void)d, (void)s;
  return mt_device_info(standin_host())->max_buffer;
}
static uint64_t device_memory(DeviceObject *d, Selector s) {
  (void)d, (void)s;
  return mt_device_info(standin_host())->memory;
}
static void *device_queue(DeviceObject *d, Selector s) {
  (void)d, (void)s;
  return standin_queue(NULL);
}

/* MTLGPUFamily: Apple1 is 1001, Mac1 2001, Common1 3001, Metal3 5001. */
static bool device_family(DeviceObject *d, Selector s, int64_t family) {
  (void)d, (void)s;
  const Personality *gpu = standin_gpu();
  return (family > 1000 && family <= 1000 + gpu->apple) ||
         (family > 2000 && family <= 2000 + gpu->mac) ||
         (family > 3000 && family <= 3003) ||
         (family > 5000 && family <= 5000 + gpu->metal - 2);
}

typedef struct QueueDescObject {
  Object head;
  LogObject *log; /* owned */
} QueueDescObject;

static void queue_desc_log(QueueDescObject *o, Selector s, LogObject *log) {
  (void)s;
  standin_retain(log);
  standin_release(o->log);
  o->log = log;
}

static void queue_desc_destroy(Object *o) {
  standin_release(((QueueDescObject *)o)->log);
}
static const Method queue_desc_methods[] = {
    METHOD("setLogState:", queue_desc_log), {NULL, NULL}};
static const ClassOf MTLCommandQueueDescriptor = {
    standin_class_mark, "MTLCommandQueueDescriptor", sizeof(QueueDescObject),
    queue_desc_methods, queue_desc_destroy};

static void *device_special_queue(DeviceObject *d, Selector s,
                                  QueueDescObject *o) {
  (void)d;
  if (o == NULL) standin_problem("%s nil", s);
  return o ? standin_queue(o->log) : NULL;
}

static const Method device_methods[] = {
    METHOD("name", device_name),
    METHOD("maxThreadsPerThreadgroup", device_threads),
    METHOD("hasUnifiedMemory", device_unified),
    METHOD("maxThreadgroupMemoryLength", device_shared),
    METHOD("maxBufferLength", device_longest),
    METHOD("recommendedMaxWorkingSetSize", device_memory),
    METHOD("newCommandQueue", device_queue),
    METHOD("newCommandQueueWithDescriptor:", device_special_queue),
    METHOD("newLogStateWithDescriptor:error:", standin_log),
    METHOD("supportsFamily:", device_family),
    METHOD("argumentBuffersSupport", device_arguments),
    METHOD("supportsCounterSampling:", standin_can_sample),
    METHOD("counterSets", standin_counter_sets),
    METHOD("newCounterSampleBufferWithDescriptor:error:", standin_samples),
    METHOD("sampleTimestamps:gpuTimestamp:", standin_timestamps),
    METHOD("newLibraryWithSource:options:error:", device_library),
    METHOD("newComputePipelineStateWithFunction:options:reflection:error:",
           device_pipeline),
    METHOD("newComputePipelineStateWithFunction:error:", device_plain_pipeline),
    METHOD("newBufferWithLength:options:", device_buffer),
    METHOD("newTextureWithDescriptor:", device_texture),
    METHOD("newSamplerStateWithDescriptor:", device_sampler),
    {NULL, NULL}};
const ClassOf standin_MTLDevice = {standin_class_mark, "MTLDevice",
                                   sizeof(DeviceObject), device_methods, NULL};

const ClassOf *const standin_classes[] = {
    &standin_NSAutoreleasePool, &standin_NSString, &standin_NSArray,
    &standin_NSDictionary, &standin_NSError, &MTLCompileOptions,
    &MTLFunctionConstantValues, &MTLTextureDescriptor, &MTLSamplerDescriptor,
    &MTLCommandQueueDescriptor, &standin_MTLCommandBufferDescriptor,
    &standin_MTLLogStateDescriptor, &standin_MTLSampleDescriptor,
    &standin_MTLComputePassDescriptor, &standin_NSURL,
    &standin_MTLCaptureDescriptor, &standin_MTLCaptureManager, NULL};

void *MTLCreateSystemDefaultDevice(void) {
  return getenv("STANDIN_NO_DEVICE") ? NULL : standin_new(&standin_MTLDevice);
}
void *MTLCopyAllDevices(void) { return standin_array(); }
void *MTLCopyAllDevicesWithObserver(void *observer, void *block) {
  (void)observer, (void)block;
  return standin_array();
}
void MTLRemoveDeviceObserver(void *observer) { (void)observer; }

/* Leaks are known only at the end; problems decide the exit status. A program
** that ended in the middle, with a status of its own, has released nothing. */
static void finish(int status, void *unused) {
  (void)unused;
  standin_wait_until_idle();
  standin_capture_finish();
  standin_log_finish();
  if (standin_finish(status > 1)) _Exit(3);
}

__attribute__((constructor)) static void start(void) { on_exit(finish, NULL); }
