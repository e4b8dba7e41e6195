/*
** memory.c - libmettle's buffers and textures.
**
** The one idea: a wrapped buffer is the caller's memory itself where the device
** can use it, else a buffer of the device with which that memory is kept equal:
** launch.c copies to it and back.
*/
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "embed/embed.h"

static mt_Status end_buffer(void *object, mt_Error *err) {
  mettle_Buffer *b = object;
  (void)err;
  mt_buffer_free(b->buffer);
  mt_embed_drop_here(b->device);
  free(b);
  return MT_OK;
}

typedef struct Make {
  mettle_Buffer *b;
  void *memory; /* NULL: the device's own */
  size_t size;
  bool copied;
} Make;

static mt_Status make_buffer(void *call, mt_Error *err) {
  Make *c = call;
  mt_Device *dev = c->b->device->device;
  if (c->memory && mt_buffer_wraps(dev) && !c->copied)
    return mt_buffer_wrap(dev, c->memory, c->size, &c->b->buffer, err);
  c->b->outside = c->memory;
  return mt_buffer_new(dev, c->size, &c->b->buffer, err);
}

static mettle_Status new_buffer(mettle_Device *dev, Make *c, unsigned flags,
                                mettle_Buffer **out, mettle_Error *err) {
  *out = NULL;
  MT_NEED(dev, "device");
  c->b = mt_embed_new(sizeof *c->b, end_buffer);
  if (!c->b) return mt_embed_refuse(err, "out of memory");
  c->b->device = mt_embed_keep(dev);
  c->b->read_only = (flags & METTLE_READ_ONLY) != 0;
  mettle_Status status = mt_embed_run(make_buffer, c, err);
  if (status == METTLE_OK) *out = c->b;
  else mt_embed_drop(c->b);
  return status;
}

mettle_Status mettle_buffer_new(mettle_Device *dev, size_t size,
                                mettle_Buffer **out, mettle_Error *err) {
  Make c = {.size = size};
  return new_buffer(dev, &c, 0, out, err);
}

mettle_Status mettle_buffer_wrap(mettle_Device *dev, void *memory, size_t size,
                                 unsigned flags, mettle_Buffer **out,
                                 mettle_Error *err) {
  Make c = {.memory = memory, .size = size,
            .copied = (flags & METTLE_GUARDED) != 0};
  *out = NULL;
  MT_NEED(memory, "memory");
  if (flags & ~(unsigned)(METTLE_GUARDED | METTLE_READ_ONLY))
    return mt_embed_refuse(err, "there are no such flags: %#x", flags);
  return new_buffer(dev, &c, flags, out, err);
}

void mettle_buffer_free(mettle_Buffer *buf) { mt_embed_drop(buf); }

size_t mettle_buffer_size(const mettle_Buffer *buf) {
  return mt_buffer_size(buf->buffer);
}

typedef struct Access {
  mettle_Buffer *b;
  mt_Access access;
} Access;

static mt_Status access_buffer(void *call, mt_Error *err) {
  Access *c = call;
  return mt_buffer_access(c->b->buffer, 0, mt_buffer_size(c->b->buffer),
                          c->access, err);
}

/* Memory that is kept equal to a buffer is always up to date here. */
mettle_Status mettle_buffer_open(mettle_Buffer *buf, unsigned access,
                                 void **out, mettle_Error *err) {
  Access c = {buf, (mt_Access)access};
  *out = NULL;
  MT_NEED(buf, "buffer");
  if (access < 1 || access > 3)
    return mt_embed_refuse(err, "access is METTLE_READ, METTLE_WRITE or both");
  *out = buf->outside ? buf->outside : mt_buffer_contents(buf->buffer);
  if (buf->outside) return METTLE_OK;
  mettle_Status status = mt_embed_run(access_buffer, &c, err);
  if (status != METTLE_OK) *out = NULL;
  return status;
}

/* ----------------------------------------------------------------- textures */

static mt_Status end_texture(void *object, mt_Error *err) {
  mettle_Texture *t = object;
  (void)err;
  mt_texture_free(t->texture);
  mt_embed_drop_here(t->device);
  free(t);
  return MT_OK;
}

typedef struct MakeTexture {
  mettle_Texture *t;
  mt_TextureDesc desc;
} MakeTexture;

static mt_Status make_texture(void *call, mt_Error *err) {
  MakeTexture *c = call;
  return mt_texture_new(c->t->device->device, &c->desc, &c->t->texture, err);
}

static bool find_kind(const char *name, mt_TextureKind *out) {
  static const char *const names[] = {"1d", "1d_array", "2d", "2d_array",
                                      "3d"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = (mt_TextureKind)i;
      return true;
    }
  return false;
}

static bool find_format(const char *name, mt_PixelFormat *out) {
  for (int f = 0; f < MT_PIXEL_FORMATS; f++)
    if (strcmp(name, mt_pixel_name((mt_PixelFormat)f)) == 0) {
      *out = (mt_PixelFormat)f;
      return true;
    }
  return false;
}

mettle_Status mettle_texture_new(mettle_Device *dev, const char *kind,
                                 const char *format, unsigned width,
                                 unsigned height, unsigned depth,
                                 mettle_Texture **out, mettle_Error *err) {
  MakeTexture c = {.desc = {.width = width, .height = height}};
  *out = NULL;
  MT_NEED(dev, "device");
  if (!find_kind(kind, &c.desc.kind))
    return mt_embed_refuse(err, "there are no textures of kind '%s': it is "
                           "1d, 1d_array, 2d, 2d_array or 3d", kind);
  if (!find_format(format, &c.desc.format))
    return mt_embed_refuse(err, "there is no pixel format '%s'", format);
  bool layers = c.desc.kind == MT_TEXTURE_1D_ARRAY ||
                c.desc.kind == MT_TEXTURE_2D_ARRAY;
  c.desc.depth = layers ? 1 : depth;
  c.desc.layers = layers ? depth : 1;
  c.t = mt_embed_new(sizeof *c.t, end_texture);
  if (!c.t) return mt_embed_refuse(err, "out of memory");
  c.t->device = mt_embed_keep(dev);
  mettle_Status status = mt_embed_run(make_texture, &c, err);
  if (status == METTLE_OK) *out = c.t;
  else mt_embed_drop(c.t);
  return status;
}

void mettle_texture_free(mettle_Texture *t) { mt_embed_drop(t); }

typedef struct Pixels {
  mettle_Texture *t;
  const void *from;
  void *to;
  size_t size;
} Pixels;

static mt_Status move_pixels(void *call, mt_Error *err) {
  Pixels *c = call;
  return c->from ? mt_texture_write(c->t->texture, c->from, c->size, err)
                 : mt_texture_read(c->t->texture, c->to, c->size, err);
}

mettle_Status mettle_texture_write(mettle_Texture *t, const void *pixels,
                                   size_t size, mettle_Error *err) {
  Pixels c = {.t = t, .from = pixels, .size = size};
  MT_NEED(t && pixels, "texture or pixels");
  return mt_embed_run(move_pixels, &c, err);
}

mettle_Status mettle_texture_read(mettle_Texture *t, void *pixels, size_t size,
                                  mettle_Error *err) {
  Pixels c = {.t = t, .to = pixels, .size = size};
  MT_NEED(t && pixels, "texture or pixels");
  return mt_embed_run(move_pixels, &c, err);
}
