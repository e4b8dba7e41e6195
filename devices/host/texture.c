/*
** texture.c - textures of the host device: plain rows of pixels, and the view
** of them that a kernel gets (msl/texture_view.h).
*/
#include <stdlib.h>
#include <string.h>

#include "devices/host/host.h"
#include "msl/texture_view.h"

typedef struct Texture {
  mt_Texture head;
  mt_TextureView view;
  size_t size;
} Texture;

mt_Status mt_host_texture_new(mt_Device *dev, const mt_TextureDesc *desc,
                              mt_Texture **out, mt_Error *err) {
  Texture *t = calloc(1, sizeof *t);
  if (!t) return mt_error(err, MT_FAIL, "out of memory");
  size_t row = desc->width * mt_pixel_size(desc->format);
  size_t slice = row * desc->height;
  t->size = slice * desc->depth * desc->layers;
  t->head.device = dev;
  t->head.desc = *desc;
  t->view = (mt_TextureView){
      .pixels = mt_host_memory_new(t->size), .row_bytes = row,
      .slice_bytes = slice, .format = (unsigned)desc->format,
      .width = desc->width, .height = desc->height, .depth = desc->depth,
      .layers = desc->layers, .levels = 1};
  if (!t->view.pixels) {
    size_t size = t->size;
    free(t);
    return mt_error(err, MT_FAIL, "no memory for a texture of %zu bytes", size);
  }
  *out = &t->head;
  return MT_OK;
}

void mt_host_texture_free(mt_Texture *texture) {
  Texture *t = (Texture *)texture;
  mt_host_memory_free(t->view.pixels, t->size);
  free(t);
}

mt_Status mt_host_texture_write(mt_Texture *texture, const void *pixels,
                                mt_Error *err) {
  (void)err;
  Texture *t = (Texture *)texture;
  memcpy(t->view.pixels, pixels, t->size);
  return MT_OK;
}

mt_Status mt_host_texture_read(const mt_Texture *texture, void *pixels,
                               mt_Error *err) {
  (void)err;
  const Texture *t = (const Texture *)texture;
  memcpy(pixels, t->view.pixels, t->size);
  return MT_OK;
}

const void *mt_host_texture_view(const mt_Texture *texture) {
  return &((const Texture *)texture)->view;
}

uint64_t mt_host_sampler(const mt_SamplerDesc *s) {
  return mt_sampler_bits(s->linear, s->pixel, s->address, s->compare);
}
