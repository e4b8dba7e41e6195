/*
** objects.c - the buffers, textures and variables of a recorded launch.
**
** The one idea: an object is a range of addresses. Where the code tells which
** parameter or variable a pointer was made from, its offset counts from there,
** even past the end; else the address is looked up. Where arguments lie is
** known when a group starts, where variables lie when a thread of it tells
** (mt_record_base).
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "devices/host/host.h"
#include "devices/host/record/record.h"
#include "devices/host/run/run.h"
#include "msl/texture_view.h"

/* ----------------------------------------------------------------- the list */

static mt_RecordObject *add(mt_Recorder *r, const char *start) {
  mt_Recording *o = r->out;
  if (o->object_count == r->objects || o->object_count == MT_NO_OBJECT)
    return NULL;
  r->start[o->object_count] = start;
  mt_RecordObject *x = &o->objects[o->object_count++];
  memset(x, 0, sizeof *x);
  x->param = x->within = -1;
  return x;
}

static void set_type(mt_RecordObject *x, const mt_Type *type) {
  x->type = type;
  x->element = type && type->size ? (uint32_t)type->size : 1;
}

static void add_texture(mt_Recorder *r, const mt_Texture *t, const char *name,
                        unsigned param) {
  const mt_TextureView *v = mt_host_texture_view(t);
  for (size_t i = 0; i < r->out->object_count; i++)
    if (r->start[i] == v->pixels) return;
  mt_RecordObject *x = add(r, v->pixels);
  if (!x) return;
  snprintf(x->name, sizeof x->name, "%s", name);
  x->space = MT_SPACE_TEXTURE;
  x->param = (int)param;
  x->format = t->desc.format;
  x->handle = (uint64_t)(uintptr_t)v;
  x->element = (uint32_t)mt_pixel_size(t->desc.format);
  x->row_bytes = v->row_bytes;
  x->slice_bytes = v->slice_bytes;
  x->extent[0] = v->width, x->extent[1] = v->height;
  x->extent[2] = v->depth * v->layers;
  x->size = v->slice_bytes * x->extent[2];
}

static void add_buffer(mt_Recorder *r, const mt_Arg *a, const char *name,
                       const mt_Type *type, mt_Space space, unsigned param) {
  mt_RecordObject *x = add(r, (char *)a->buffer->contents + a->offset);
  if (!x) return;
  snprintf(x->name, sizeof x->name, "%s", name);
  x->space = space;
  x->param = (int)param;
  x->size = a->size ? a->size : a->buffer->size - a->offset;
  x->address = a->offset;
  set_type(x, type);
}

static void add_links(mt_Recorder *r, const mt_Arg *a, unsigned param) {
  for (unsigned k = 0; k < a->link_count; k++) {
    const mt_Link *link = &a->links[k];
    if (link->arg.kind == MT_ARG_TEXTURE)
      add_texture(r, link->arg.texture, link->name, param);
    else if (link->arg.kind == MT_ARG_BUFFER)
      add_buffer(r, &link->arg, link->name, link->type->element,
                 MT_SPACE_DEVICE, param);
  }
}

static void add_textures(mt_Recorder *r, const mt_Arg *a, const char *name,
                         unsigned param) {
  char numbered[96];
  if (!a->texture_count) add_texture(r, a->texture, name, param);
  for (unsigned k = 0; k < a->texture_count; k++) {
    snprintf(numbered, sizeof numbered, "%s[%u]", name, k);
    add_texture(r, a->textures[k], numbered, param);
  }
}

/* Bytes and threadgroup memory: mt_record_find gets their address. */
static void add_memory(mt_Recorder *r, const mt_Arg *a, const mt_Param *p,
                       unsigned param) {
  mt_RecordObject *x = add(r, NULL);
  if (!x) return;
  snprintf(x->name, sizeof x->name, "%s", p->name ? p->name : "");
  x->space = a->kind == MT_ARG_BYTES ? MT_SPACE_CONSTANT : MT_SPACE_THREADGROUP;
  x->param = (int)param;
  x->size = a->size;
  set_type(x, p->type);
}

static void add_arg(mt_Recorder *r, unsigned i) {
  const mt_Arg *a = &r->launch->args[i];
  const mt_Param *p = &r->launch->kernel->info.params[i];
  const char *name = p->name ? p->name : "";
  r->object[i] = (int)r->out->object_count;
  switch (a->kind) {
    case MT_ARG_BUFFER:
      add_buffer(r, a, name, p->type,
                 p->constant ? MT_SPACE_CONSTANT : MT_SPACE_DEVICE, i);
      break;
    case MT_ARG_BYTES:
      add_memory(r, a, p, i);
      add_links(r, a, i);
      break;
    case MT_ARG_THREADGROUP:
      add_memory(r, a, p, i);
      break;
    case MT_ARG_TEXTURE:
      r->object[i] = -1;
      add_textures(r, a, name, i);
      break;
    default:
      r->object[i] = -1;
      break;
  }
}

static void add_variable(mt_Recorder *r, size_t root) {
  const mt_Root *from = &r->sites->root[root];
  r->object[root] = -1;
  if (from->kind != MT_ROOT_VARIABLE && from->kind != MT_ROOT_GLOBAL) return;
  mt_RecordObject *x = add(r, NULL);
  if (!x) return;
  r->object[root] = (int)(r->out->object_count - 1);
  snprintf(x->name, sizeof x->name, "%s", from->name);
  x->space = from->kind == MT_ROOT_VARIABLE ? MT_SPACE_THREADGROUP
                                            : MT_SPACE_CONSTANT;
  x->size = from->size;
  x->element = from->element ? (uint32_t)from->element : 1;
  memcpy(x->rows, from->rows, sizeof x->rows);
  const mt_Type *t =
      from->type_text ? mt_type_read(&r->out->types, from->type_text) : NULL;
  while (t && t->kind == MT_TYPE_ARRAY) t = t->element;
  x->type = t;
}

mt_Status mt_record_map(mt_Recorder *r, mt_Error *err) {
  const mt_Launch *l = r->launch;
  r->objects = r->sites->roots + l->arg_count + 1;
  for (unsigned i = 0; i < l->arg_count; i++)
    r->objects += l->args[i].texture_count + l->args[i].link_count;
  r->out->objects = calloc(r->objects, sizeof *r->out->objects);
  r->start = calloc(r->objects, sizeof *r->start);
  r->object = calloc(r->sites->roots + l->arg_count + 1, sizeof *r->object);
  if (!r->out->objects || !r->start || !r->object)
    return mt_error(err, MT_FAIL, "out of memory");
  for (unsigned i = 0; i < l->arg_count; i++) add_arg(r, i);
  for (size_t i = l->arg_count; i < r->sites->roots; i++) add_variable(r, i);
  return MT_OK;
}

void mt_record_unmap(mt_Recorder *r) {
  free(r->start);
  free(r->object);
}

/* ----------------------------------------------------------------- contents */

#define CONTENTS ((uint64_t)256 << 20)

/* An argument that is a part of another one's memory. */
static void find_within(mt_Recorder *r, size_t i) {
  mt_RecordObject *all = r->out->objects, *o = &all[i];
  for (size_t k = 0; r->start[i] && k < r->out->object_count; k++) {
    if (k == i || !r->start[k] || all[k].within >= 0) continue;
    if (r->start[i] < r->start[k] ||
        r->start[i] + o->size > r->start[k] + all[k].size)
      continue;
    if (r->start[i] == r->start[k] && o->size == all[k].size && k > i) continue;
    o->within = (int)k;
    o->within_at = (uint64_t)(r->start[i] - r->start[k]);
    return;
  }
}

static bool keep(mt_RecordObject *o, const void *from) {
  o->before = malloc(o->size + 1);
  return o->before && mt_copy(o->before, from, o->size);
}

bool mt_record_keep_contents(mt_Recorder *r) {
  uint64_t all = 0;
  for (size_t i = 0; i < r->out->object_count; i++) find_within(r, i);
  for (size_t i = 0; i < r->out->object_count; i++) {
    mt_RecordObject *o = &r->out->objects[i];
    const mt_Arg *a = o->param >= 0 ? &r->launch->args[o->param] : NULL;
    const char *from = r->start[i];
    if (!from && a && a->kind == MT_ARG_BYTES) from = a->bytes;
    if (!from || o->within >= 0) continue;
    all += o->size;
    if (all > CONTENTS || !keep(o, from)) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- addresses */

static void found_at(mt_Recorder *r, int object, const char *p) {
  mt_RecordObject *x = &r->out->objects[object];
  r->start[object] = p;
  if (x->space == MT_SPACE_THREADGROUP)
    x->address = (uint64_t)(p - r->group->worker->threadgroup);
  if (x->param >= 0 || x->space != MT_SPACE_CONSTANT || x->before) return;
  mt_guard_shield(); /* allocates */
  x->before = malloc(x->size + 1);
  mt_guard_unshield();
  if (x->before) memcpy(x->before, p, x->size);
}

void mt_record_find(mt_Recorder *r, const mt_Group *g) {
  for (unsigned i = 0; i < r->launch->arg_count; i++) {
    mt_ArgKind kind = r->launch->args[i].kind;
    if (r->object[i] >= 0 &&
        (kind == MT_ARG_BYTES || kind == MT_ARG_THREADGROUP))
      found_at(r, r->object[i], (const char *)(uintptr_t)g->args[i]);
  }
}

void mt_record_base(mt_Recorder *r, uint32_t index, uint32_t root,
                    const char *p) {
  (void)index; /* any thread may be the first to run */
  if (r->object[root] >= 0 && r->start[r->object[root]] != p)
    found_at(r, r->object[root], p);
}

/* Several arguments may share memory: the first of them. */
static unsigned look_up(const mt_Recorder *r, const char *p) {
  for (size_t i = 0; i < r->out->object_count; i++)
    if (r->start[i] && p >= r->start[i] &&
        (uint64_t)(p - r->start[i]) < r->out->objects[i].size)
      return (unsigned)i;
  return MT_NO_OBJECT;
}

unsigned mt_record_object(const mt_Recorder *r, const mt_Site *s,
                          const char *p, int64_t *offset) {
  unsigned object = MT_NO_OBJECT;
  if (s->root != MT_ROOT_UNKNOWN && r->object[s->root] >= 0 &&
      r->start[r->object[s->root]])
    object = (unsigned)r->object[s->root];
  else
    object = look_up(r, p);
  if (object != MT_NO_OBJECT) *offset = p - r->start[object];
  return object;
}
