/*
** texture_bounds.c - texels outside a texture.
**
** The one idea: nothing breaks, but it is rarely intended. Metal defines reads
** and writes outside a texture: a read gives 0, a write is dropped. The library
** tests for that itself (metal/__texel: inside), and instrument/texels.c puts a
** probe after its test. Sampling has address modes and makes no such test.
*/
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "devices/host/check/check.h"
#include "msl/texture_view.h"

/* The region of a texture view: of a parameter, or of an argument buffer's
** member. */
static const mt_Region *region_of(const mt_Check *c,
                                  const mt_TextureView *view) {
  for (size_t i = 0; i < c->regions; i++)
    if (c->region[i].start == (const char *)view) return &c->region[i];
  return NULL;
}

/* Which coordinates it has: x, y, and the slice or layer. */
static void sides_of(const mt_Texture *t, bool has[3]) {
  mt_TextureKind k = t->desc.kind;
  has[0] = true;
  has[1] = k != MT_TEXTURE_1D && k != MT_TEXTURE_1D_ARRAY;
  has[2] = k != MT_TEXTURE_1D && k != MT_TEXTURE_2D;
}

/* 'place' is x, y, z, the number of slices, and the level. */
static void outside(mt_Check *c, uint32_t thread, const mt_Site *s,
                    const uint32_t place[MT_TEXEL],
                    const mt_TextureView *view) {
  const mt_Region *r = region_of(c, view);
  mt_Finding f = {.kind = MT_FIND_OUT_OF_BOUNDS, .place = s->place,
                  .how = s->write ? MT_HOW_WRITE : MT_HOW_READ,
                  .space = MT_SPACE_TEXTURE};
  uint32_t extent[3] = {view->width, view->height, place[3]};
  bool has[3] = {true, true, true};
  if (r && r->link) {
    f.name = r->link->name;
    sides_of(r->link->arg.texture, has);
  } else if (r && r->root >= 0) {
    f.name = c->sites->root[r->root].name;
    sides_of(c->launch->args[r->root].texture, has);
  }
  for (int d = 2; d >= 0; d--) {
    f.texel[d] = place[d], f.extent[d] = has[d] ? extent[d] : 0;
    if (place[d] >= extent[d]) f.index = place[d], f.length = extent[d];
  }
  f.level = place[4] >= view->levels;
  if (f.level) f.index = place[4], f.length = view->levels;
  mt_finding_add(c, &f, thread, NULL);
}

void mt_check_texel(mt_Check *c, uint32_t sg, uint32_t mask, uint32_t site,
                    const uint32_t *places, const void *const *views) {
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    uint32_t place[MT_TEXEL];
    for (int d = 0; d < MT_TEXEL; d++) place[d] = places[d * MT_LANES + lane];
    outside(c, sg * MT_LANES + lane, &c->sites->site[site], place, views[lane]);
  }
}

void mt_check_thread_texel(mt_Check *c, uint32_t sg, uint32_t mask,
                           uint32_t site, const uint32_t *place,
                           const void *view) {
  if (mask)
    outside(c, sg * MT_LANES + (uint32_t)__builtin_ctz(mask),
            &c->sites->site[site], place, view);
}
