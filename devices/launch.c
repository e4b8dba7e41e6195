/*
** launch.c - every launch is checked here, before any device sees it.
**
** Metal silently drops some invalid launches and aborts the process on others.
** So every error is found here, with the same messages for all devices: sizes
** against the kernel's and the device's limits, each argument against its
** parameter.
*/
#include "base/advice.h"
#include "devices/device.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAX_BYTES 4096          /* limit of setBytes */
#define MAX_GRID UINT32_MAX     /* threads_per_grid is a uint */

static const char axes[3] = {'x', 'y', 'z'};

static void split(mt_Size s, uint64_t out[3]) {
  out[0] = s.x;
  out[1] = s.y;
  out[2] = s.z;
}

/* ------------------------------------------------------------------ sizes */

static mt_Status check_group(const mt_Launch *l, mt_Error *err) {
  const mt_KernelInfo *k = &l->kernel->info;
  const mt_DeviceInfo *d = &l->kernel->device->info;
  uint64_t group[3], threads = 1;
  split(l->group, group);
  for (int i = 0; i < 3; i++) {
    if (group[i] == 0)
      return mt_error(err, MT_BADARG,
                      "%s: the threadgroup has no threads in %c: each side is "
                      "at least 1",
                      k->name, axes[i]);
    if (group[i] > d->max_group[i])
      return mt_error(err, MT_BADARG,
                      "%s: a threadgroup of %" PRIu64 " in %c is too large: "
                      "the limit of this device is %" PRIu64,
                      k->name, group[i], axes[i], d->max_group[i]);
    if (k->required_group[i] && group[i] != k->required_group[i])
      return mt_error(err, MT_BADARG,
                      "%s demands a threadgroup of %u × %u × %u in its source",
                      k->name, k->required_group[0], k->required_group[1],
                      k->required_group[2]);
    threads *= group[i];
  }
  if (threads > k->max_threads)
    return mt_error(
        err, MT_BADARG,
        "%s: %" PRIu64
        " threads in a threadgroup are too many: "
        "this kernel takes at most %u on %s%s",
        k->name, threads, k->max_threads, d->name,
        k->max_threads < d->max_threads_per_group
            ? " (it uses many registers, or its source sets the limit)"
            : "");
  return MT_OK;
}

static mt_Status check_grid(const mt_Launch *l, mt_Error *err) {
  const char *name = l->kernel->info.name;
  const char *what = l->by_groups ? "groups" : "grid";
  uint64_t grid[3], group[3];
  split(l->grid, grid);
  split(l->group, group);
  for (int i = 0; i < 3; i++) {
    if (grid[i] == 0)
      return mt_error(err, MT_BADARG,
                      "%s: the %s is empty in %c: nothing would run", name,
                      what, axes[i]);
    if (grid[i] > MAX_GRID / (l->by_groups ? group[i] : 1))
      return mt_error(err, MT_BADARG,
                      "%s: the %s is too large in %c: a thread's position has "
                      "32 bits, so 2^32 - 1 threads are the limit",
                      name, what, axes[i]);
  }
  return MT_OK;
}

/* -------------------------------------------------------------- arguments */

/* "argument 2, 'out' (device float *)" */
static const char *describe(char *text, size_t size, const mt_Param *p,
                            unsigned number) {
  const char *type = p->type ? p->type->name : "?";
  switch (p->kind) {
    case MT_PARAM_BUFFER:
      snprintf(text, size, "argument %u, '%s' (%s %s%s %c)", number, p->name,
               p->constant ? "constant" : "device",
               !p->constant && p->access == MT_READ ? "const " : "", type,
               p->reference ? '&' : '*');
      break;
    case MT_PARAM_THREADGROUP:
      snprintf(text, size, "'%s' (threadgroup %s *)", p->name, type);
      break;
    default:
      snprintf(text, size, "argument %u, '%s' (%s)", number, p->name, type);
  }
  return text;
}

static mt_Status missing(const char *kernel, const char *what,
                         const mt_Param *p, mt_Error *err) {
  const char *wanted = "a buffer";
  if (p->kind == MT_PARAM_THREADGROUP)
    return mt_error(err, MT_BADARG,
                    "%s: %s is missing: give it its size in bytes, %s", kernel,
                    what, mt_advice()->threadgroup);
  if (p->kind == MT_PARAM_TEXTURE)
    wanted = "a texture";
  else if (p->kind == MT_PARAM_SAMPLER)
    wanted = "a sampler";
  else if (p->reference && p->access == MT_READ)
    wanted = "a value or a buffer";
  return mt_error(err, MT_BADARG, "%s: %s is missing: give it %s", kernel, what,
                  wanted);
}

static mt_Status check_links(const char *kernel, const mt_Launch *l,
                             const mt_Arg *a, mt_Error *err);

static mt_Status check_bytes(const char *kernel, const char *what,
                             const mt_Launch *l, const mt_Param *p,
                             const mt_Arg *a, mt_Error *err) {
  if (p->access != MT_READ)
    return mt_error(err, MT_BADARG,
                    "%s: %s is not const, so it needs a buffer, not a value",
                    kernel, what);
  if (a->size > MAX_BYTES)
    return mt_error(err, MT_BADARG,
                    "%s: %s is given %zu bytes by value; the limit is %d: use "
                    "a buffer",
                    kernel, what, a->size, MAX_BYTES);
  if (a->size < p->type->size || a->size == 0)
    return mt_error(err, MT_BADARG, "%s: %s needs %zu bytes, got %zu", kernel,
                    what, p->type->size, a->size);
  return check_links(kernel, l, a, err);
}

/* A buffer's offset must be a multiple of its type's alignment and, in constant
** memory, of the device's. */
static mt_Status check_offset(const char *kernel, const char *what,
                              const mt_Launch *l, const mt_Param *p,
                              const mt_Arg *a, mt_Error *err) {
  size_t constant = l->kernel->device->info.constant_align;
  if (p->type->align && a->offset % p->type->align)
    return mt_error(err, MT_BADARG,
                    "%s: %s starts at byte %zu of its buffer, which is not a "
                    "multiple of %zu as its type demands",
                    kernel, what, a->offset, p->type->align);
  if (a->buffer->wrapped && p->type->align &&
      (uintptr_t)a->buffer->contents % p->type->align)
    return mt_error(err, MT_BADARG,
                    "%s: %s is memory at an address that is not a multiple of "
                    "%zu as its type demands: copy it to memory that is",
                    kernel, what, p->type->align);
  if (p->constant && constant && a->offset % constant)
    return mt_error(err, MT_BADARG,
                    "%s: %s starts at byte %zu of its buffer; on this device "
                    "constant memory starts at multiples of %zu: copy the "
                    "view, or declare it device const",
                    kernel, what, a->offset, constant);
  return MT_OK;
}

static mt_Status check_buffer(const char *kernel, const char *what,
                              const mt_Launch *l, const mt_Param *p,
                              const mt_Arg *a, mt_Error *err) {
  if (a->kind == MT_ARG_BYTES) return check_bytes(kernel, what, l, p, a, err);
  if (a->kind != MT_ARG_BUFFER)
    return mt_error(err, MT_BADARG, "%s: %s takes a buffer", kernel, what);
  if (a->buffer->device != l->kernel->device)
    return mt_error(err, MT_BADARG,
                    "%s: %s is a buffer of the %s device, the kernel runs on "
                    "%s: %s",
                    kernel, what, a->buffer->device->info.name,
                    l->kernel->device->info.name, mt_advice()->copy_buffer);
  size_t need = p->type->size ? p->type->size : 1;
  if (a->size < need)
    return mt_error(err, MT_BADARG,
                    "%s: %s needs at least %zu bytes, the buffer has %zu",
                    kernel, what, need, a->size);
  return check_offset(kernel, what, l, p, a, err);
}

static mt_Status check_threadgroup(const char *kernel, const char *what,
                                   const mt_Arg *a, mt_Error *err) {
  if (a->kind != MT_ARG_THREADGROUP || a->size == 0)
    return mt_error(err, MT_BADARG,
                    "%s: %s needs its size: %s", kernel, what,
                    mt_advice()->threadgroup);
  if (a->size % 16)
    return mt_error(err, MT_BADARG,
                    "%s: %s has %zu bytes; threadgroup memory comes in "
                    "multiples of 16",
                    kernel, what, a->size);
  return MT_OK;
}

static const char *const kind_names[] = {"texture1d", "texture1d_array",
                                         "texture2d", "texture2d_array",
                                         "texture3d"};

/* Is 'name' ("texture2d_array<uint, access::read>", "depth2d<float>") a texture
** of that kind? */
static bool same_kind(const char *name, mt_TextureKind kind) {
  size_t n = strcspn(name, "<");
  const char *sides = kind_names[kind] + strlen("texture");
  size_t head = strncmp(name, "depth", 5) == 0 ? 5 : 7;
  if (n < head || !isdigit((unsigned char)name[head]))
    return true; /* cubes and others have no mt_TextureKind */
  return n - head == strlen(sides) && memcmp(name + head, sides, n - head) == 0;
}

/* The class of its element ("<uint"): float, unsigned or int; 0: any. */
static char element_class(const char *name) {
  const char *e = strchr(name, '<');
  if (e == NULL) return 0;
  if (strncmp(e + 1, "float", 5) == 0 || strncmp(e + 1, "half", 4) == 0)
    return 'f';
  if (strncmp(e + 1, "uint", 4) == 0 || strncmp(e + 1, "ushort", 6) == 0)
    return 'u';
  return strncmp(e + 1, "int", 3) == 0 || strncmp(e + 1, "short", 5) == 0
             ? 'i'
             : 0;
}

/* The texture's type; for "array<texture2d<float>, 3>" that of an element. */
static const char *texture_type(const mt_Param *p) {
  const char *name = p->type->name;
  return strncmp(name, "array<", 6) == 0 ? name + 6 : name;
}

static mt_Status check_one(const char *kernel, const char *what,
                           const mt_Launch *l, const mt_Param *p,
                           const mt_Texture *t, mt_Error *err) {
  if (t->device != l->kernel->device)
    return mt_error(err, MT_BADARG,
                    "%s: %s is a texture of the %s device, the kernel runs on "
                    "%s: %s",
                    kernel, what, t->device->info.name,
                    l->kernel->device->info.name, mt_advice()->new_texture);
  char element = element_class(texture_type(p));
  if (!same_kind(texture_type(p), t->desc.kind))
    return mt_error(err, MT_BADARG,
                    "%s: %s is given a texture of another kind, %s",
                    kernel, what, kind_names[t->desc.kind]);
  if (element && element != mt_pixel(t->desc.format)->element)
    return mt_error(err, MT_BADARG,
                    "%s: %s is given a texture of format %s: it needs a %s "
                    "format, or a kernel with another element",
                    kernel, what, mt_pixel_name(t->desc.format),
                    element == 'f'   ? "float or unorm"
                    : element == 'u' ? "uint"
                                     : "sint");
  if (mt_pixel(t->desc.format)->depth && p->access & MT_WRITE)
    return mt_error(err, MT_BADARG,
                    "%s: %s is given a texture of format %s, which kernels can "
                    "only read: write to one of format r32float",
                    kernel, what, mt_pixel_name(t->desc.format));
  return MT_OK;
}

static mt_Status check_texture(const char *kernel, const char *what,
                               const mt_Launch *l, const mt_Param *p,
                               const mt_Arg *a, mt_Error *err) {
  unsigned wanted = p->array_count > 1 ? p->array_count : 0;
  if (a->kind != MT_ARG_TEXTURE)
    return mt_error(err, MT_BADARG, "%s: %s takes a texture", kernel, what);
  if (wanted && a->texture_count != wanted)
    return mt_error(err, MT_BADARG,
                    "%s: %s takes a table of %u textures, it is given %u",
                    kernel, what, wanted,
                    a->texture_count ? a->texture_count : 1);
  if (!wanted) return check_one(kernel, what, l, p, a->texture, err);
  for (unsigned i = 0; i < wanted; i++) {
    mt_Status status = check_one(kernel, what, l, p, a->textures[i], err);
    if (status != MT_OK) return status;
  }
  return MT_OK;
}

static mt_Status check_sampler(const char *kernel, const char *what,
                               const mt_Arg *a, mt_Error *err) {
  if (a->kind != MT_ARG_SAMPLER)
    return mt_error(err, MT_BADARG, "%s: %s takes a sampler", kernel, what);
  if (a->sampler.pixel && a->sampler.address > 1)
    return mt_error(err, MT_BADARG,
                    "%s: %s counts in pixels, and then Metal cannot repeat: "
                    "its address must be clamp_to_edge or clamp_to_zero",
                    kernel, what);
  return MT_OK;
}

/* The resources of an argument buffer are checked as parameters are. */
static mt_Status check_links(const char *kernel, const mt_Launch *l,
                             const mt_Arg *a, mt_Error *err) {
  for (unsigned i = 0; i < a->link_count; i++) {
    const mt_Link *link = &a->links[i];
    const mt_Type *t = link->type;
    mt_Param p = {.name = link->name, .type = t, .used = true};
    mt_Status status;
    char what[256];
    snprintf(what, sizeof what, "'%s'", link->name);
    if (t->kind == MT_TYPE_POINTER) {
      if (t->element) p.type = t->element;
      if (link->arg.kind == MT_ARG_BYTES)
        return mt_error(err, MT_BADARG, "%s: %s takes a buffer", kernel, what);
      status = check_buffer(kernel, what, l, &p, &link->arg, err);
    } else if (t->kind == MT_TYPE_TEXTURE) {
      status = check_texture(kernel, what, l, &p, &link->arg, err);
    } else {
      status = check_sampler(kernel, what, &link->arg, err);
    }
    if (status != MT_OK) return status;
  }
  return MT_OK;
}

/* 'what' is the parameter in words, for the error. */
static mt_Status judge_argument(const mt_Launch *l, unsigned i,
                                const char *what, mt_Error *err) {
  const char *kernel = l->kernel->info.name;
  const mt_Param *p = &l->kernel->info.params[i];
  const mt_Arg *a = &l->args[i];
  if (a->kind == MT_ARG_NONE)
    return p->used ? missing(kernel, what, p, err) : MT_OK;
  switch (p->kind) {
    case MT_PARAM_BUFFER: return check_buffer(kernel, what, l, p, a, err);
    case MT_PARAM_THREADGROUP: return check_threadgroup(kernel, what, a, err);
    case MT_PARAM_TEXTURE: return check_texture(kernel, what, l, p, a, err);
    case MT_PARAM_SAMPLER: return check_sampler(kernel, what, a, err);
    default:
      return mt_error(err, MT_BADARG,
                      "%s: '%s' is filled in by the device, not by the launch",
                      kernel, p->name);
  }
}

/* The words are made for the error alone: they took a tenth of a small
** launch. */
static mt_Status check_argument(const mt_Launch *l, unsigned i,
                                unsigned number, mt_Error *err) {
  char what[256];
  mt_Error ignored;
  if (judge_argument(l, i, "", &ignored) == MT_OK) return MT_OK;
  describe(what, sizeof what, &l->kernel->info.params[i], number);
  return judge_argument(l, i, what, err);
}

static mt_Status check_arguments(const mt_Launch *l, mt_Error *err) {
  const mt_KernelInfo *k = &l->kernel->info;
  size_t shared = k->threadgroup_static;
  unsigned number = 0;
  if (l->arg_count != k->param_count)
    return mt_error(err, MT_BADARG, "%s: %u arguments for %u parameters",
                    k->name, l->arg_count, k->param_count);
  for (unsigned i = 0; i < k->param_count; i++) {
    const mt_Param *p = &k->params[i];
    if (p->kind == MT_PARAM_BUILTIN) continue;
    if (p->kind != MT_PARAM_THREADGROUP) number++;
    mt_Status status = check_argument(l, i, number, err);
    if (status != MT_OK) return status;
    if (p->kind == MT_PARAM_THREADGROUP) shared += l->args[i].size;
  }
  size_t limit = l->kernel->device->info.max_threadgroup_memory;
  if (shared > limit)
    return mt_error(err, MT_BADARG,
                    "%s: %zu bytes of threadgroup memory are too much: the "
                    "limit is %zu",
                    k->name, shared, limit);
  return MT_OK;
}

/* ----------------------------------------------------------------- public */

/* The group's side within that of the grid; an empty grid is refused later. */
static uint64_t fit(uint64_t group, uint64_t grid) {
  return grid == 0 ? 1 : group < grid ? group : grid;
}

mt_Size mt_launch_default_group(const mt_Launch *l) {
  const mt_KernelInfo *k = &l->kernel->info;
  mt_Size g = {256, 1, 1};
  if (k->required_group[0])
    return (mt_Size){k->required_group[0], k->required_group[1],
                     k->required_group[2]};
  if (l->grid.z > 1) g = (mt_Size){32, 4, 2};
  else if (l->grid.y > 1) g = (mt_Size){16, 16, 1};
  if (!l->by_groups) {
    g.x = fit(g.x, l->grid.x);
    g.y = fit(g.y, l->grid.y);
    g.z = fit(g.z, l->grid.z);
  }
  for (uint64_t *side[] = {&g.x, &g.y, &g.z}, **s = side; s < side + 3; s++)
    while (g.x * g.y * g.z > k->max_threads && **s > 1) **s = (**s + 1) / 2;
  return g;
}

mt_Status mt_launch_check(const mt_Launch *l, mt_Error *err) {
  mt_Status status = check_group(l, err);
  if (status == MT_OK) status = check_grid(l, err);
  if (status == MT_OK) status = check_arguments(l, err);
  if (status == MT_OK && l->repeats == 0)
    status = mt_error(err, MT_BADARG, "%s: repeats must be at least 1",
                      l->kernel->info.name);
  if (status == MT_OK && !(l->time_limit >= 0))
    status = mt_error(err, MT_BADARG, "%s: the time limit must not be negative",
                      l->kernel->info.name);
  return status;
}

mt_Status mt_launch(const mt_Launch *l, mt_Timing *out, mt_Error *err) {
  *out = (mt_Timing){0};
  mt_Status status = mt_launch_check(l, err);
  if (status != MT_OK) return status;
  bool first = !l->kernel->launched;
  l->kernel->launched = true;
  status = l->kernel->device->ops->launch(l, out, err);
  out->first = first;
  if (out->wall_ns == 0) out->wall_ns = 1; /* a coarse clock; 0 is no time */
  return status;
}
