/*
** device.c - the registry, and checked calls of every device's operations.
**
** Each function here refuses requests that no device could fulfil, fills in
** defaults, and calls through the table. An unsupported operation is a NULL in
** the device's table and becomes a message here, the same for all devices.
*/
#include "devices/device.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/advice.h"
#include "base/files/file.h"
#include "devices/doctor.h"
#include "msl/reader/versions.h"

#define MAX_SOURCE (64u << 20)

/* --------------------------------------------------------------- registry */

/* Those of this build, best first: MT_DEVICES is X(cuda) X(host), from the list
** in devices/devices.mk. */
#define X(name) extern const mt_DeviceOps mt_##name##_ops;
MT_DEVICES
#undef X
#define X(name) &mt_##name##_ops,
static const mt_DeviceOps *const known[] = {MT_DEVICES};
#undef X

#define KNOWN (sizeof known / sizeof *known)
#define MAX_UNITS 16
#define NAME_LENGTH 24

/* Add NAME, NAME:1, … */
static size_t list_units(const mt_DeviceOps *ops, mt_DeviceEntry *entries,
                         char (*names)[NAME_LENGTH], mt_Error *missing) {
  unsigned units = ops->units ? ops->units() : 1;
  bool lacks = ops->find && ops->find(missing) != MT_OK;
  if (units > MAX_UNITS) units = MAX_UNITS;
  for (unsigned i = 0; i < units; i++) {
    entries[i] = ops->entry;
    if (lacks) entries[i].missing = missing->text;
    if (i == 0) continue;
    snprintf(names[i], sizeof names[i], "%.12s:%u", ops->entry.name, i);
    entries[i].name = names[i];
  }
  return units;
}

size_t mt_device_list(const mt_DeviceEntry **out) {
  static mt_DeviceEntry entries[KNOWN * MAX_UNITS];
  static char names[KNOWN * MAX_UNITS][NAME_LENGTH];
  static mt_Error missing[KNOWN];
  size_t count = 0;
  for (size_t i = 0; i < KNOWN; i++)
    count += list_units(known[i], entries + count, names + count, &missing[i]);
  *out = entries;
  return count;
}

bool mt_device_has_metal(void) {
  for (size_t i = 0; i < KNOWN; i++)
    if (known[i]->entry.is_metal) return true;
  return false;
}

bool mt_device_serve(const char *word, int *status) {
  for (size_t i = 0; i < KNOWN; i++)
    if (known[i]->serve && known[i]->serve(word, status)) return true;
  return false;
}

static mt_Status unknown_device(const char *name, mt_Error *err) {
  mt_Str names = MT_STR_INIT;
  for (size_t i = 0; i < KNOWN; i++)
    mt_str_addf(&names, "%s%s", i ? ", " : "", known[i]->entry.name);
  mt_error(err, MT_BADARG, "there is no device '%s' here; this build has: %s",
           name, mt_str_text(&names));
  mt_str_free(&names);
  return MT_BADARG;
}

static mt_Status open_best(mt_Device **out, mt_Error *err) {
  mt_Status status = MT_FAIL;
  for (size_t i = 0; i < KNOWN; i++)
    if ((status = known[i]->open(out, err)) == MT_OK) break;
  return status;
}

/* The number in "cuda:2", which is NAME's; false: it is not. */
static bool unit_of(const char *name, const mt_DeviceOps *ops,
                    unsigned *number) {
  size_t n = strlen(ops->entry.name);
  char end;
  return ops->open_unit && strncmp(name, ops->entry.name, n) == 0 &&
         name[n] == ':' && strspn(name + n + 1, "0123456789") < 4 &&
         (name[n + 1] != '0' || name[n + 2] == '\0') &&
         sscanf(name + n + 1, "%u%c", number, &end) == 1;
}

mt_Status mt_device_open(const char *name, mt_Device **out, mt_Error *err) {
  unsigned number;
  *out = NULL;
  if (name == NULL) name = getenv("METTLE_DEVICE");
  if (name == NULL || name[0] == '\0') return open_best(out, err);
  for (size_t i = 0; i < KNOWN; i++)
    if (strcmp(name, known[i]->entry.name) == 0)
      return known[i]->open(out, err);
    else if (unit_of(name, known[i], &number))
      return known[i]->open_unit(number, out, err);
  return unknown_device(name, err);
}

void mt_device_close(mt_Device *dev) {
  if (dev) dev->ops->close(dev);
}

void mt_device_ready(mt_Device *dev) {
  if (dev->ops->ready) dev->ops->ready(dev);
}

void mt_device_confining(mt_Device *dev) {
  if (dev->ops->confining) dev->ops->confining(dev);
}

const mt_DeviceInfo *mt_device_info(const mt_Device *dev) { return &dev->info; }

const mt_DeviceEntry *mt_device_entry(const mt_Device *dev) {
  return &dev->ops->entry;
}

const char *mt_device_instrumenting(void) {
  size_t i = 0;
  while (i + 1 < KNOWN && !known[i]->check) i++;
  return known[i]->entry.name;
}

bool mt_device_instruments(const mt_Device *dev) {
  return dev->ops->check != NULL;
}

/* ------------------------------------------------------------- the doctor */

void mt_doctor_note(mt_Diagnosis *out, mt_Verdict verdict, const char *fmt,
                    ...) {
  va_list args;
  va_start(args, fmt);
  vsnprintf(out->text, sizeof out->text, fmt, args);
  va_end(args);
  out->verdict = verdict;
}

static void diagnose(const mt_DeviceOps *ops, mt_DoctorSay *say,
                     void *context) {
  mt_Device *dev = NULL;
  mt_Error why = {""};
  if (ops->open(&dev, &why) != MT_OK) dev = NULL;
  for (const mt_DoctorLine *line = ops->doctor; line->name; line++) {
    mt_Diagnosis found = {0};
    line->look(dev, &why, &found);
    say(context, line->name, &found,
        dev && line == ops->doctor ? &dev->info : NULL);
  }
  mt_device_close(dev);
}

void mt_device_diagnose(mt_DoctorSay *say, void *context) {
  for (size_t i = 0; i < KNOWN; i++)
    if (known[i]->doctor) diagnose(known[i], say, context);
}

/* ------------------------------------------------------------------- turns */

static struct {
  void (*leave)(void), (*enter)(void);
} turns; /* NULL: one thread calls the devices */

void mt_device_take_turns(void (*leave)(void), void (*enter)(void)) {
  turns.leave = leave;
  turns.enter = enter;
}

void mt_device_leave(void) {
  if (turns.leave) turns.leave();
}

void mt_device_enter(void) {
  if (turns.enter) turns.enter();
}

/* ---------------------------------------------------------- describing it */

static void human_size(char out[32], uint64_t bytes) {
  static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB", "PB"};
  double size = (double)bytes;
  unsigned unit = 0;
  while (size >= 1024 && unit < 5) size /= 1024, unit++;
  snprintf(out, 32, "%.*f %s", size == (double)(uint64_t)size ? 0 : 1, size,
           units[unit]);
}

void mt_device_describe(const mt_DeviceInfo *i, mt_Str *out) {
  char shared[32], buffer[32], memory[32];
  human_size(shared, i->max_threadgroup_memory);
  human_size(buffer, i->max_buffer);
  human_size(memory, i->memory);
  mt_str_addf(out, "  %s\n  %s\n  ", i->title, i->how);
  if (i->units)
    mt_str_addf(out, "%u core%s, ", i->units, i->units == 1 ? "" : "s");
  if (i->simd_width) mt_str_addf(out, "SIMD-groups of %u, ", i->simd_width);
  else mt_str_add(out, "SIMD-groups of a size of each kernel's own, ");
  mt_str_addf(out, "up to %llu threads per threadgroup\n",
              (unsigned long long)i->max_threads_per_group);
  mt_str_addf(
      out, "  %s threadgroup memory, buffers up to %s, %s of %s memory\n",
      shared, buffer, memory, i->unified_memory ? "unified" : "its own");
  if (i->families) mt_str_addf(out, "  families: %s\n", i->families);
}

/* ---------------------------------------------------------------- capture */

static mt_Status check_capture(const mt_Device *dev, const char *path,
                               mt_Error *err) {
  size_t n = strlen(path), end = strlen(".gputrace");
  if (dev->ops->capture_start == NULL)
    return mt_error(err, MT_BADARG,
                    "a capture is for Xcode and made by Metal; the %s device "
                    "cannot: %s and %s look into kernels here",
                    dev->info.name, mt_advice()->profile, mt_advice()->check);
  if (n <= end || strcmp(path + n - end, ".gputrace") != 0)
    return mt_error(err, MT_BADARG,
                    "a capture goes to a file that ends in .gputrace, as in %s",
                    mt_advice()->capture);
  if (mt_file_exists(path))
    return mt_error(err, MT_BADARG,
                    "%s is there already, and Metal does not replace it: "
                    "remove it, or take another name",
                    path);
  return MT_OK;
}

mt_Status mt_capture_start(mt_Device *dev, const char *path, mt_Error *err) {
  mt_Status status = check_capture(dev, path, err);
  return status == MT_OK ? dev->ops->capture_start(dev, path, err) : status;
}

void mt_capture_stop(mt_Device *dev) {
  if (dev->ops->capture_stop) dev->ops->capture_stop(dev);
}

void mt_device_messages(mt_Device *dev, mt_Str *out) {
  mt_Str raw = MT_STR_INIT; /* its words are the kernel's own */
  if (dev->ops->messages) dev->ops->messages(dev, &raw);
  mt_str_add_visible(out, mt_str_text(&raw), raw.length, "\n\t");
  mt_str_free(&raw);
}

static mt_Status cannot(const mt_Device *dev, const char *what, mt_Error *err) {
  return mt_error(err, MT_FAIL, "the %s device cannot %s", dev->info.name,
                  what);
}

/* -------------------------------------------------- libraries and kernels */

mt_Status mt_library_new(mt_Device *dev, const char *source, size_t length,
                         const mt_CompileOptions *options, mt_Library **out,
                         mt_Str *log, mt_Error *err) {
  static const mt_CompileOptions defaults = {0};
  *out = NULL;
  if (dev->ops->library_new == NULL) return cannot(dev, "compile", err);
  unsigned version;
  mt_Status status =
      mt_msl_version(options ? options->std : NULL, &version, err);
  if (status != MT_OK) return status;
  if (length == 0)
    return mt_error(err, MT_BADARG, "the source is empty: give it a kernel");
  if (length > MAX_SOURCE)
    return mt_error(err, MT_BADARG,
                    "the source is %zu bytes long; the limit is %u MB", length,
                    MAX_SOURCE >> 20);
  return dev->ops->library_new(dev, source, length,
                               options ? options : &defaults, out, log, err);
}

void mt_library_free(mt_Library *lib) {
  if (lib) lib->device->ops->library_free(lib);
}

mt_Device *mt_library_device(const mt_Library *lib) { return lib->device; }

size_t mt_library_kernels(const mt_Library *lib, const char *const **out) {
  *out = lib->kernel_names;
  return lib->kernel_count;
}

size_t mt_library_constants(const mt_Library *lib, const mt_Constant **out) {
  *out = lib->constants;
  return lib->constant_count;
}

static mt_Status unknown_kernel(const mt_Library *lib, const char *name,
                                mt_Error *err) {
  mt_Str names = MT_STR_INIT;
  for (size_t i = 0; i < lib->kernel_count; i++)
    mt_str_addf(&names, "%s%s", i ? ", " : "", lib->kernel_names[i]);
  if (lib->kernel_count == 0)
    mt_error(err, MT_BADARG,
             "the source has no kernel: a kernel is 'kernel void name(...)'");
  else
    mt_error(err, MT_BADARG, "the source has no kernel '%s'; it has: %s", name,
             mt_str_text(&names));
  mt_str_free(&names);
  return MT_BADARG;
}

/* "there is no function constant 7; the source has: scale (0), wide (1)" */
static mt_Status unknown_constant(const mt_Library *lib, unsigned index,
                                  mt_Error *err) {
  mt_Str names = MT_STR_INIT;
  for (size_t i = 0; i < lib->constant_count; i++)
    mt_str_addf(&names, "%s%s (%u)", i ? ", " : "", lib->constants[i].name,
                lib->constants[i].index);
  mt_error(err, MT_BADARG,
           lib->constant_count
               ? "there is no function constant %u; the source has: %s"
               : "the source has no function constants, so %u means nothing%s",
           index, mt_str_text(&names));
  mt_str_free(&names);
  return MT_BADARG;
}

/* A value must be of a constant that the source has, and of its size. */
static mt_Status check_constant(const mt_Library *lib,
                                const mt_ConstantValue *values, size_t n,
                                mt_Error *err) {
  const mt_ConstantValue *v = &values[n];
  const mt_Constant *c = NULL;
  for (size_t i = 0; i < lib->constant_count && !c; i++)
    if (lib->constants[i].index == v->index) c = &lib->constants[i];
  if (!c) return unknown_constant(lib, v->index, err);
  if (c->type && v->size != c->type->size)
    return mt_error(err, MT_BADARG,
                    "function constant '%s' (%s) has %zu byte%s, and its value "
                    "%zu", c->name, c->type->name, c->type->size,
                    c->type->size == 1 ? "" : "s", v->size);
  for (size_t i = 0; i < n; i++)
    if (values[i].index == v->index)
      return mt_error(err, MT_BADARG,
                      "function constant '%s' is given twice", c->name);
  return MT_OK;
}

mt_Status mt_kernel_new(mt_Library *lib, const char *name,
                        const mt_ConstantValue *values, size_t value_count,
                        mt_Kernel **out, mt_Error *err) {
  *out = NULL;
  size_t i = 0;
  while (i < lib->kernel_count && strcmp(lib->kernel_names[i], name) != 0) i++;
  if (i == lib->kernel_count) return unknown_kernel(lib, name, err);
  for (size_t n = 0; n < value_count; n++) {
    mt_Status status = check_constant(lib, values, n, err);
    if (status != MT_OK) return status;
  }
  return lib->device->ops->kernel_new(lib, name, values, value_count, out, err);
}

void mt_kernel_free(mt_Kernel *k) {
  if (k) k->device->ops->kernel_free(k);
}

const mt_KernelInfo *mt_kernel_info(const mt_Kernel *k) { return &k->info; }
mt_Device *mt_kernel_device(const mt_Kernel *k) { return k->device; }

const char *mt_kernel_fallback(const mt_Kernel *k) {
  return k->fallback[0] ? k->fallback : NULL;
}

mt_Status mt_kernel_listing(mt_Kernel *k, mt_Listing what, mt_Str *out,
                            mt_Error *err) {
  bool can = k->device->ops->kernel_listing != NULL;
  if (!can && what == MT_LISTING_WHY) {
    mt_str_addf(out,
                "The %s device compiles kernels by itself and does not say "
                "what it made of this one.", k->device->info.name);
    return MT_OK;
  }
  if (!can) return cannot(k->device, "show what it generated", err);
  return k->device->ops->kernel_listing(k, what, out, err);
}

/* ---------------------------------------------------------------- buffers */

mt_Status mt_buffer_new(mt_Device *dev, size_t size, mt_Buffer **out,
                        mt_Error *err) {
  *out = NULL;
  if (size == 0)
    return mt_error(err, MT_BADARG, "a buffer needs at least one byte");
  if (size > dev->info.max_buffer) {
    char asked[32], limit[32];
    human_size(asked, size);
    human_size(limit, dev->info.max_buffer);
    return mt_error(err, MT_BADARG,
                    "a buffer of %s is more than this device has: the limit "
                    "is %s",
                    asked, limit);
  }
  return dev->ops->buffer_new(dev, size, out, err);
}

bool mt_buffer_wraps(const mt_Device *dev) {
  return dev->ops->buffer_wrap != NULL;
}

mt_Status mt_buffer_wrap(mt_Device *dev, void *memory, size_t size,
                         mt_Buffer **out, mt_Error *err) {
  *out = NULL;
  if (!mt_buffer_wraps(dev))
    return cannot(dev, "use memory that is not its own", err);
  if (memory == NULL || size == 0)
    return mt_error(err, MT_BADARG, "a buffer needs at least one byte");
  return dev->ops->buffer_wrap(dev, memory, size, out, err);
}

void mt_buffer_free(mt_Buffer *buf) {
  if (buf) buf->device->ops->buffer_free(buf);
}

void *mt_buffer_contents(const mt_Buffer *buf) { return buf->contents; }

mt_Status mt_buffer_access(mt_Buffer *buf, size_t offset, size_t size,
                           mt_Access access, mt_Error *err) {
  if (buf->reserved) return mt_reserved("buffer", err);
  if (buf->device->ops->buffer_access == NULL) return MT_OK;
  if (offset > buf->size) offset = buf->size;
  if (size > buf->size - offset) size = buf->size - offset;
  if (size == 0) return MT_OK;
  return buf->device->ops->buffer_access(buf, offset, size, access, err);
}

size_t mt_buffer_size(const mt_Buffer *buf) { return buf->size; }
mt_Device *mt_buffer_device(const mt_Buffer *buf) { return buf->device; }
