/*
** module.c - the table of pictures.so, and what its formats have in common.
**
** EXIF's orientation is a number from 1 to 8: which of the picture's corners
** the first row and the first column of the file belong to.
*/
#include "pictures/module/module.h"

#include <string.h>

static const mt_PictureModule table = {
#ifdef MT_PNG
    .read_png = mt_png_read,
    .write_png = mt_png_write,
#endif
#ifdef MT_JPEG
    .read_jpeg = mt_jpeg_read,
#endif
#ifdef MT_SIXEL
    .write_sixel = mt_sixel_write,
#endif
#ifdef MT_GIF
    .gif_begin = mt_gif_begin,
    .gif_add = mt_gif_add,
    .gif_end = mt_gif_end,
#endif
};

const mt_PictureModule *mt_picture_module(void);
const mt_PictureModule *mt_picture_module(void) { return &table; }

mt_Status mt_claim_check(size_t width, size_t height, size_t row_bytes,
                         size_t size, size_t most, const char *name,
                         mt_Error *err) {
  mt_Status status = mt_picture_check_size(width, height, name, err);
  if (status != MT_OK) return status;
  if (row_bytes * height / most > size)
    return mt_error(err, MT_FAIL,
                    "%s: it claims %zu × %zu pixels, which %zu bytes cannot "
                    "hold: it is damaged or cut short",
                    name, width, height, size);
  return MT_OK;
}

/* --------------------------------------------------------------------- EXIF */

/* 'n' bytes at 'at' as a number; 0 past the end. */
static uint32_t number(const uint8_t *exif, size_t size, size_t at,
                       unsigned n) {
  uint32_t v = 0;
  if (at + n > size || at + n < at) return 0;
  for (unsigned i = 0; i < n; i++)
    v = v << 8 | exif[at + (exif[0] == 'I' ? n - 1 - i : i)];
  return v;
}

static unsigned orientation(const uint8_t *exif, size_t size) {
  if (size < 8 || exif[0] != exif[1] || (exif[0] != 'I' && exif[0] != 'M') ||
      number(exif, size, 2, 2) != 42)
    return 1;
  size_t folder = number(exif, size, 4, 4);
  uint32_t entries = number(exif, size, folder, 2);
  for (uint32_t i = 0; i < entries; i++) {
    size_t at = folder + 2 + (size_t)i * 12;
    if (at + 12 > size) break;
    if (number(exif, size, at, 2) != 0x0112) continue;
    uint32_t v = number(exif, size, at + 8, 2);
    return v >= 1 && v <= 8 ? v : 1;
  }
  return 1;
}

mt_Status mt_exif_turn(const uint8_t *exif, size_t size, mt_Picture *p,
                       mt_Error *err) {
  unsigned turn = orientation(exif, size), w = p->width, h = p->height;
  size_t pixel = p->bits / 2;
  bool swap = turn >= 5; /* rows of the file are columns of the picture */
  bool right = turn == 2 || turn == 3 || turn == 7 || turn == 8;
  bool bottom = turn == 3 || turn == 4 || turn == 6 || turn == 7;
  mt_Picture out;
  if (turn == 1) return MT_OK;
  mt_Status status =
      mt_picture_new(swap ? h : w, swap ? w : h, p->bits, &out, err);
  if (status != MT_OK) return status;
  /* (x, y) of the result is (fx, fy) of the file */
  for (unsigned y = 0; y < out.height; y++)
    for (unsigned x = 0; x < out.width; x++) {
      unsigned fx = swap ? y : x, fy = swap ? x : y;
      if (right) fx = w - 1 - fx;
      if (bottom) fy = h - 1 - fy;
      memcpy(out.rgba + ((size_t)y * out.width + x) * pixel,
             p->rgba + ((size_t)fy * w + fx) * pixel, pixel);
    }
  out.channels = p->channels;
  mt_picture_free(p);
  *p = out;
  return MT_OK;
}
