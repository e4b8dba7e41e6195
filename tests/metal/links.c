/*
** links.c - argument buffers as a GPU reads them: eight bytes that must be the
** address of a resident buffer, or the number of a texture or sampler.
*/
#include <stdlib.h>
#include <string.h>

#include "tests/metal/device.h"

typedef struct Reading {
  const mt_Param *param;
  const char *bytes;
  Object *const *used;
  size_t used_count;
  mt_Link *links;
  unsigned count;
} Reading;

static bool lead_to(const Reading *r, const mt_Type *t, uint64_t word,
                    mt_Arg *out) {
  if (t->kind == MT_TYPE_SAMPLER) {
    SamplerObject *s = standin_sampler_at(word);
    if (s) *out = (mt_Arg){.kind = MT_ARG_SAMPLER, .sampler = s->desc};
    return s != NULL;
  }
  for (size_t i = 0; i < r->used_count; i++) {
    if (t->kind == MT_TYPE_TEXTURE && (uint64_t)(uintptr_t)r->used[i] == word &&
        r->used[i]->isa == &standin_MTLTexture) {
      *out = (mt_Arg){.kind = MT_ARG_TEXTURE,
                      .texture = ((TextureObject *)r->used[i])->texture};
      return true;
    }
    if (t->kind != MT_TYPE_POINTER || r->used[i]->isa != &standin_MTLBuffer)
      continue;
    mt_Buffer *b = ((BufferObject *)r->used[i])->buffer;
    uint64_t at = word - (uint64_t)(uintptr_t)mt_buffer_contents(b);
    if (at >= mt_buffer_size(b)) continue;
    *out = (mt_Arg){.kind = MT_ARG_BUFFER,
                    .buffer = b,
                    .offset = at,
                    .size = mt_buffer_size(b) - at};
    return true;
  }
  return false;
}

static void read_link(Reading *r, const mt_Type *t, size_t at) {
  uint64_t word;
  memcpy(&word, r->bytes + at, sizeof word);
  if (word == 0) return; /* none */
  mt_Link link = {.at = at, .name = r->param->name, .type = t};
  if (!lead_to(r, t, word, &link.arg)) {
    standin_problem("byte %d of '%s' leads to nothing that is resident",
                    (int)at, r->param->name);
    return;
  }
  r->links = realloc(r->links, (r->count + 1) * sizeof link);
  r->links[r->count++] = link;
}

static void read_type(Reading *r, const mt_Type *t, size_t at) {
  if (mt_type_is_link(t)) read_link(r, t, at);
  else if (t->kind == MT_TYPE_ARRAY)
    for (size_t i = 0; i < t->count; i++)
      read_type(r, t->element, at + i * t->element->size);
  else if (t->kind == MT_TYPE_STRUCT)
    for (unsigned i = 0; i < t->field_count; i++)
      read_type(r, t->fields[i].type, at + t->fields[i].offset);
}

mt_Link *standin_links(const mt_Param *p, const mt_Arg *a, Object *const *used,
                       size_t used_count, unsigned *count) {
  Reading r = {
      .param = p, .bytes = a->bytes, .used = used, .used_count = used_count};
  for (size_t at = 0; p->type->size && at + p->type->size <= a->size;
       at += p->type->size)
    read_type(&r, p->type, at);
  *count = r.count;
  return r.links;
}
