/*
** launch.c - libmettle's launches.
**
** The one idea: a mettle_Launch is an mt_Launch that is filled step by step. It
** keeps what it was given, by the number of the argument, so that nothing is
** freed below it. Memory that a device cannot use in place is copied to its
** buffer before the run, and back afterwards.
*/
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "embed/embed.h"

#define MAX_VALUE 4096

/* ------------------------------------------------------------ making it */

/* What argument 'i' keeps: an object, or the bytes of a value. */
static void let_go(mettle_Launch *l, unsigned i, bool here) {
  if (l->args[i].kind == MT_ARG_BYTES) free(l->kept[i]);
  else if (here) mt_embed_drop_here(l->kept[i]);
  else mt_embed_drop(l->kept[i]);
  l->kept[i] = NULL;
  l->args[i] = (mt_Arg){.kind = MT_ARG_NONE};
}

static mt_Status end_launch(void *object, mt_Error *err) {
  mettle_Launch *l = object;
  (void)err;
  for (unsigned i = 0; l->args && l->kept && i < l->launch.arg_count; i++)
    let_go(l, i, true);
  free(l->args);
  free(l->kept);
  mt_embed_drop_here(l->kernel);
  free(l);
  return MT_OK;
}

mettle_Status mettle_launch_new(mettle_Kernel *k, mettle_Launch **out,
                                mettle_Error *err) {
  *out = NULL;
  MT_NEED(k, "kernel");
  unsigned n = mt_kernel_info(k->kernel)->param_count;
  mettle_Launch *l = mt_embed_new(sizeof *l, end_launch);
  if (!l) return mt_embed_refuse(err, "out of memory");
  l->kernel = mt_embed_keep(k);
  l->args = calloc(n + 1, sizeof *l->args);
  l->kept = calloc(n + 1, sizeof *l->kept);
  if (!l->args || !l->kept) {
    mt_embed_drop(l);
    return mt_embed_refuse(err, "out of memory");
  }
  l->launch = (mt_Launch){.kernel = k->kernel, .args = l->args,
                          .arg_count = n, .repeats = 1};
  *out = l;
  return METTLE_OK;
}

void mettle_launch_free(mettle_Launch *l) { mt_embed_drop(l); }

/* The first pointer, texture or sampler in a value of this type, or NULL. */
static const mt_Field *link_in(const mt_Type *t) {
  while (t && t->kind == MT_TYPE_ARRAY) t = t->element;
  if (!t || (t->kind != MT_TYPE_STRUCT && t->kind != MT_TYPE_UNION))
    return NULL;
  for (unsigned i = 0; i < t->field_count; i++) {
    const mt_Type *of = t->fields[i].type;
    while (of->kind == MT_TYPE_ARRAY) of = of->element;
    if (mt_type_is_link(of)) return &t->fields[i];
    const mt_Field *inner = link_in(of);
    if (inner) return inner;
  }
  return NULL;
}

/* Why 'arg' cannot be argument 'param'. */
static mettle_Status check_arg(const mettle_Launch *l, unsigned param,
                               const mt_Arg *arg, mettle_Error *err) {
  const mt_KernelInfo *info = mt_kernel_info(l->kernel->kernel);
  if (param >= l->kernel->param_count)
    return mt_embed_refuse(
        err, "%s has %u parameters to be given, and none of number %u",
        info->name, l->kernel->param_count, param);
  const mt_Param *p = &info->params[l->kernel->params[param]];
  bool memory = arg->kind == MT_ARG_BYTES || arg->kind == MT_ARG_BUFFER;
  const mt_Field *link = memory ? link_in(p->type) : NULL;
  if (link)
    return mt_embed_refuse(
        err, "%s: '%s' (%s) has '%s' in it (%s), which this interface cannot "
        "give: make it a parameter of the kernel, or use mettle itself",
        info->name, p->name, p->type->name, link->name, link->type->name);
  return METTLE_OK;
}

/* Replace argument 'param'; 'kept' becomes the launch's. */
static mettle_Status set(mettle_Launch *l, unsigned param, mt_Arg arg,
                         void *kept, mettle_Error *err) {
  mettle_Status status = check_arg(l, param, &arg, err);
  if (status != METTLE_OK) {
    if (arg.kind == MT_ARG_BYTES) free(kept);
    else mt_embed_drop(kept);
    return status;
  }
  unsigned i = l->kernel->params[param];
  let_go(l, i, false);
  l->args[i] = arg;
  l->kept[i] = kept;
  return METTLE_OK;
}

mettle_Status mettle_launch_buffer(mettle_Launch *l, unsigned param,
                                   mettle_Buffer *buf, size_t offset,
                                   mettle_Error *err) {
  MT_NEED(l && buf, "launch or buffer");
  size_t size = mt_buffer_size(buf->buffer);
  if (offset > size)
    return mt_embed_refuse(err, "byte %zu is past the end of a buffer of %zu",
                           offset, size);
  mt_Arg arg = {.kind = MT_ARG_BUFFER, .buffer = buf->buffer,
                .offset = offset, .size = size - offset};
  return set(l, param, arg, mt_embed_keep(buf), err);
}

mettle_Status mettle_launch_memory(mettle_Launch *l, unsigned param,
                                   void *memory, size_t size,
                                   mettle_Error *err) {
  mettle_Buffer *buf;
  MT_NEED(l, "launch");
  mettle_Status status = mettle_buffer_wrap(l->kernel->library->device, memory,
                                            size, 0, &buf, err);
  if (status == METTLE_OK) status = mettle_launch_buffer(l, param, buf, 0, err);
  mettle_buffer_free(buf); /* the launch keeps it */
  return status;
}

mettle_Status mettle_launch_value(mettle_Launch *l, unsigned param,
                                  const void *bytes, size_t size,
                                  mettle_Error *err) {
  MT_NEED(l && bytes, "launch or value");
  if (size > MAX_VALUE)
    return mt_embed_refuse(err, "a value has at most %d bytes, not %zu: use a "
                           "buffer", MAX_VALUE, size);
  void *copy = malloc(size + 1);
  if (!copy) return mt_embed_refuse(err, "out of memory");
  memcpy(copy, bytes, size);
  mt_Arg arg = {.kind = MT_ARG_BYTES, .bytes = copy, .size = size};
  return set(l, param, arg, copy, err);
}

mettle_Status mettle_launch_texture(mettle_Launch *l, unsigned param,
                                    mettle_Texture *t, mettle_Error *err) {
  MT_NEED(l && t, "launch or texture");
  mt_Arg arg = {.kind = MT_ARG_TEXTURE, .texture = t->texture};
  return set(l, param, arg, mt_embed_keep(t), err);
}

mettle_Status mettle_launch_sampler(mettle_Launch *l, unsigned param,
                                    int linear, int pixel_coordinates,
                                    const char *address, mettle_Error *err) {
  MT_NEED(l && address, "launch or address");
  return mettle_launch_sampler_options(
      l, param,
      &(mettle_SamplerOptions){.linear = linear,
                               .pixel_coordinates = pixel_coordinates,
                               .address = address},
      err);
}

/* (no word: the first of them) */
static bool find_word(const char *key, const char *const *words,
                      const char *word, unsigned *out, mettle_Error *err) {
  mt_Error why;
  *out = 0;
  if (!word || mt_sampler_find(key, words, word, out, &why) == MT_OK)
    return true;
  mt_embed_refuse(err, "%s", why.text);
  return false;
}

mettle_Status mettle_launch_sampler_options(
    mettle_Launch *l, unsigned param, const mettle_SamplerOptions *options,
    mettle_Error *err) {
  MT_NEED(l && options, "launch or options");
  mt_SamplerDesc s = {.linear = options->linear != 0,
                      .pixel = options->pixel_coordinates != 0};
  if (!find_word("address", mt_sampler_addresses, options->address, &s.address,
                 err) ||
      !find_word("compare", mt_sampler_compares, options->compare, &s.compare,
                 err))
    return METTLE_BADARG;
  return set(l, param, (mt_Arg){.kind = MT_ARG_SAMPLER, .sampler = s}, NULL,
             err);
}

mettle_Status mettle_launch_threadgroup(mettle_Launch *l, unsigned param,
                                        size_t bytes, mettle_Error *err) {
  mt_Arg arg = {.kind = MT_ARG_THREADGROUP, .size = bytes};
  MT_NEED(l, "launch");
  return set(l, param, arg, NULL, err);
}

/* (of no launch, as of the others: nothing happens) */
static void set_grid(mettle_Launch *l, mt_Size grid, bool by_groups) {
  if (!l) return;
  l->launch.grid = grid;
  l->launch.by_groups = by_groups;
}

void mettle_launch_grid(mettle_Launch *l, uint64_t x, uint64_t y, uint64_t z) {
  set_grid(l, (mt_Size){x, y, z}, false);
}

void mettle_launch_groups(mettle_Launch *l, uint64_t x, uint64_t y,
                          uint64_t z) {
  set_grid(l, (mt_Size){x, y, z}, true);
}

void mettle_launch_group(mettle_Launch *l, uint64_t x, uint64_t y,
                         uint64_t z) {
  if (l) l->launch.group = (mt_Size){x, y, z};
}

void mettle_launch_repeat(mettle_Launch *l, unsigned times) {
  if (l) l->launch.repeats = times;
}

void mettle_launch_limit(mettle_Launch *l, double seconds) {
  if (l) l->launch.time_limit = seconds;
}

void mettle_launch_measure(mettle_Launch *l, int on) {
  if (l) l->launch.measured = on != 0;
}

/* -------------------------------------------------------------- running it */

mt_Launch mt_embed_complete(const mettle_Launch *l) {
  mt_Launch launch = l->launch;
  if (!launch.group.x && !launch.group.y && !launch.group.z)
    launch.group = mt_launch_default_group(&launch);
  return launch;
}

static bool writes(const mettle_Launch *l, unsigned i) {
  return (mt_param_uses(mt_kernel_info(l->kernel->kernel), i) & MT_WRITE) != 0;
}

static const mettle_Buffer *buffer_at(const mettle_Launch *l, unsigned i) {
  return l->args[i].kind == MT_ARG_BUFFER ? l->kept[i] : NULL;
}

static mt_Status check_read_only(const mettle_Launch *l, mt_Error *err) {
  const mt_KernelInfo *info = mt_kernel_info(l->kernel->kernel);
  for (unsigned i = 0; i < l->launch.arg_count; i++) {
    const mettle_Buffer *b = buffer_at(l, i);
    if (b && b->read_only && writes(l, i))
      return mt_error(err, MT_BADARG,
                      "%s: '%s' is written by the kernel, and its memory is "
                      "read-only", info->name, info->params[i].name);
  }
  return MT_OK;
}

/* Copy the caller's memory to the device's buffers, or back from those that the
** kernel may have written. */
static mt_Status equalise(const mettle_Launch *l, bool back, mt_Error *err) {
  for (unsigned i = 0; i < l->launch.arg_count; i++) {
    const mettle_Buffer *b = buffer_at(l, i);
    if (!b || !b->outside || (back && !writes(l, i))) continue;
    size_t size = mt_buffer_size(b->buffer);
    void *contents = mt_buffer_contents(b->buffer);
    mt_Status status = mt_buffer_access(b->buffer, 0, size,
                                        back ? MT_READ : MT_WRITE, err);
    if (status != MT_OK) return status;
    if (back) memcpy(b->outside, contents, size);
    else if (!mt_copy(contents, b->outside, size))
      return mt_error(err, MT_CANCELLED, "interrupted");
  }
  return MT_OK;
}

static mettle_Timing timing(const mt_Timing *t) {
  return (mettle_Timing){.device_ns = t->device_ns, .wall_ns = t->wall_ns,
                         .start_ns = t->start_ns, .quick = t->quick,
                         .first = t->first};
}

typedef struct Sequence {
  mettle_Launch *const *list;
  size_t count;
  mt_Timing whole, *each;
} Sequence;

static mt_Status prepare(const mettle_Launch *l, mt_Error *err) {
  mt_Status status = check_read_only(l, err);
  return status == MT_OK ? equalise(l, false, err) : status;
}

/* What a kernel wrote before it was stopped is the caller's to see, too. */
static mt_Status finish(const Sequence *c, mt_Status status, mt_Error *err) {
  mt_Error ignored;
  for (size_t i = 0; i < c->count && status != MT_BADARG; i++) {
    mt_Status back =
        equalise(c->list[i], true, status == MT_OK ? err : &ignored);
    if (status == MT_OK) status = back;
  }
  return status;
}

static mt_Status run_one(void *call, mt_Error *err) {
  Sequence *c = call;
  mt_Launch launch = mt_embed_complete(c->list[0]);
  mt_Status status = prepare(c->list[0], err);
  if (status != MT_OK) return status;
  return finish(c, mt_launch(&launch, &c->whole, err), err);
}

mettle_Status mettle_launch_run(mettle_Launch *l, mettle_Timing *out,
                                mettle_Error *err) {
  Sequence c = {.list = &l, .count = 1};
  MT_NEED(l, "launch");
  mettle_Status status = mt_embed_run(run_one, &c, err);
  if (out) *out = timing(&c.whole);
  return status;
}

static mt_Status run_all(void *call, mt_Error *err) {
  Sequence *c = call;
  mt_Dispatched *list = calloc(c->count, sizeof *list);
  mt_Commands commands = {.list = list, .count = c->count};
  mt_Status status = list ? MT_OK : mt_error(err, MT_FAIL, "out of memory");
  bool limited = true;
  for (size_t i = 0; i < c->count && status == MT_OK; i++) {
    list[i].launch = mt_embed_complete(c->list[i]);
    commands.time_limit += list[i].launch.time_limit;
    limited = limited && list[i].launch.time_limit > 0;
    status = prepare(c->list[i], err);
  }
  if (!limited) commands.time_limit = 0;
  if (status == MT_OK)
    status = finish(c, mt_commands_run(&commands, &c->whole, c->each, err),
                    err);
  free(list);
  return status;
}

mettle_Status mettle_launch_sequence(mettle_Launch *const *list, size_t count,
                                     mettle_Timing *whole, mettle_Timing *each,
                                     mettle_Error *err) {
  Sequence c = {.list = list, .count = count};
  if (count == 0) return mt_embed_refuse(err, "there are no launches");
  for (size_t i = 0; i < count; i++) MT_NEED(list[i], "launch");
  for (size_t i = 1; i < count; i++)
    if (mt_kernel_device(list[i]->kernel->kernel) !=
        mt_kernel_device(list[0]->kernel->kernel))
      return mt_embed_refuse(err, "launch %zu of %zu is of another device than "
                             "the first", i + 1, count);
  c.each = calloc(count, sizeof *c.each);
  if (!c.each) return mt_embed_refuse(err, "out of memory");
  mettle_Status status = mt_embed_run(run_all, &c, err);
  if (whole) *whole = timing(&c.whole);
  for (size_t i = 0; each && i < count; i++) each[i] = timing(&c.each[i]);
  free(c.each);
  return status;
}
