/*
** texture.c - pixel formats by name and size, checked texture operations, and
** the words of samplers.
*/
#include "devices/device.h"

#include <string.h>

#include "base/str.h"

enum {
#define X(with, id, name, clang, declared, storage, ...) \
  SIZE_##name = sizeof(storage),
  __MT_SCALARS(X, )
#undef X
};
enum { OF_FLOAT = 'f', OF_UINT = 'u', OF_INT = 'i' };
enum { BLUE_FIRST_RGBA, BLUE_FIRST_BGRA };
#define OF_READS(reads) OF_##reads
#define OF(reads) OF_READS(reads)

static const mt_PixelRow formats[MT_PIXEL_FORMATS] = {
#define X(id, name, metal, number, channels, component, class, order) \
  {#name, channels, #component, channels * SIZE_##component, \
   OF(__MT_READS_##class), BLUE_FIRST_##order, __MT_IS_DEPTH_##class},
    __MT_PIXEL_FORMATS(X)
#undef X
};

#define MAX_SIDE 16384   /* width and height, as on Apple GPUs */
#define MAX_DEPTH 2048   /* slices of a 3-D texture, layers of an array */

const mt_PixelRow *mt_pixel(mt_PixelFormat f) { return &formats[f]; }

static size_t texture_bytes(const mt_TextureDesc *d) {
  return formats[d->format].size * (size_t)d->width * d->height * d->depth *
         d->layers;
}

mt_Status mt_texture_new(mt_Device *dev, const mt_TextureDesc *desc,
                         mt_Texture **out, mt_Error *err) {
  *out = NULL;
  if (dev->ops->texture_new == NULL)
    return mt_error(err, MT_FAIL, "the %s device has no textures yet",
                    dev->info.name);
  if (!desc->width || !desc->height || !desc->depth || !desc->layers)
    return mt_error(err, MT_BADARG, "a texture needs at least one pixel");
  bool flat = desc->kind == MT_TEXTURE_1D || desc->kind == MT_TEXTURE_1D_ARRAY;
  bool array =
      desc->kind == MT_TEXTURE_1D_ARRAY || desc->kind == MT_TEXTURE_2D_ARRAY;
  if ((flat && desc->height > 1) ||
      (desc->kind != MT_TEXTURE_3D && desc->depth > 1) ||
      (!array && desc->layers > 1))
    return mt_error(err, MT_BADARG,
                    "a texture of this kind has no such side: height is for 2d "
                    "and 3d, depth for 3d, layers for arrays");
  if (mt_pixel(desc->format)->depth && desc->kind != MT_TEXTURE_2D &&
      desc->kind != MT_TEXTURE_2D_ARRAY)
    return mt_error(err, MT_BADARG,
                    "%s is for 2d textures and arrays of them; r32float has "
                    "any number of sides",
                    mt_pixel_name(desc->format));
  if (desc->kind == MT_TEXTURE_3D &&
      (desc->width > MAX_DEPTH || desc->height > MAX_DEPTH))
    return mt_error(err, MT_BADARG, "a 3d texture has at most %d pixels a side",
                    MAX_DEPTH);
  if (desc->width > MAX_SIDE || desc->height > MAX_SIDE)
    return mt_error(err, MT_BADARG,
                    "a texture of %u × %u is too large: the limit is %d × %d",
                    desc->width, desc->height, MAX_SIDE, MAX_SIDE);
  if (desc->depth > MAX_DEPTH || desc->layers > MAX_DEPTH)
    return mt_error(err, MT_BADARG, "a texture has at most %d layers or slices",
                    MAX_DEPTH);
  if (texture_bytes(desc) > dev->info.max_buffer)
    return mt_error(err, MT_BADARG,
                    "a texture of %zu bytes is more than this device has",
                    texture_bytes(desc));
  return dev->ops->texture_new(dev, desc, out, err);
}

void mt_texture_free(mt_Texture *t) {
  if (t) t->device->ops->texture_free(t);
}

const mt_TextureDesc *mt_texture_desc(const mt_Texture *t) { return &t->desc; }
mt_Device *mt_texture_device(const mt_Texture *t) { return t->device; }

static mt_Status check_size(const mt_Texture *t, size_t size, mt_Error *err) {
  if (t->reserved) return mt_reserved("texture", err);
  size_t whole = texture_bytes(&t->desc);
  if (size == whole) return MT_OK;
  return mt_error(err, MT_BADARG,
                  "the texture has %zu bytes of pixels, the data %zu", whole,
                  size);
}

mt_Status mt_texture_write(mt_Texture *t, const void *pixels, size_t size,
                           mt_Error *err) {
  mt_Status status = check_size(t, size, err);
  return status == MT_OK ? t->device->ops->texture_write(t, pixels, err)
                         : status;
}

mt_Status mt_texture_read(const mt_Texture *t, void *pixels, size_t size,
                          mt_Error *err) {
  mt_Status status = check_size(t, size, err);
  return status == MT_OK ? t->device->ops->texture_read(t, pixels, err)
                         : status;
}

/* --------------------------------------------------------------- samplers */

const char *const mt_sampler_addresses[] = {
    "clamp_to_edge", "clamp_to_zero", "repeat", "mirrored_repeat", NULL};
const char *const mt_sampler_compares[] = {
    "none",  "less",      "less_equal", "greater", "greater_equal",
    "equal", "not_equal", "always",     "never",   NULL};

mt_Status mt_sampler_find(const char *key, const char *const *words,
                          const char *word, unsigned *out, mt_Error *err) {
  mt_Str list = {0};
  for (*out = 0; words[*out]; ++*out)
    if (strcmp(words[*out], word) == 0) return MT_OK;
  for (unsigned i = 0; words[i]; i++) {
    if (i > 0) mt_str_add(&list, words[i + 1] ? ", " : " or ");
    mt_str_add(&list, words[i]);
  }
  mt_error(err, MT_BADARG, "a sampler's %s is not '%.60s': it is %s", key, word,
           mt_str_text(&list));
  mt_str_free(&list);
  return MT_BADARG;
}
