/*
** sixel.c - sixels by libsixel: a palette of at most 256 colours, then rows of
** six pixels.
*/
#ifdef MT_SIXEL
#include <sixel.h>
#include <stdlib.h>
#include <string.h>

#include "pictures/module/module.h"

static int take(char *bytes, int n, void *to) {
  mt_str_add_bytes(to, bytes, (size_t)n);
  return n;
}

/* The picture's pixels, once with all colours and once by a palette. */
typedef struct Pixels {
  uint8_t *rgb;
  uint8_t *index;
  uint8_t palette[256 * 3];
  int colours; /* in the palette; -1: there are more than 256 */
} Pixels;

static void opaque(const mt_Picture *p, uint8_t *rgb) {
  for (unsigned y = 0; y < p->height; y++)
    for (unsigned x = 0; x < p->width; x++)
      mt_picture_opaque(p, x, y, rgb + ((size_t)y * p->width + x) * 3);
}

/* Few colours, as drawings have, are taken as they are: libsixel would round
** them. A small hash table finds those that are known. */
static void find_palette(Pixels *px, size_t n) {
  enum { SLOTS = 1024 };
  int16_t slots[SLOTS];
  memset(slots, -1, sizeof slots);
  for (size_t i = 0; i < n; i++) {
    const uint8_t *c = px->rgb + 3 * i;
    unsigned at = (c[0] * 7u + c[1] * 31u + c[2] * 131u) % SLOTS;
    while (slots[at] >= 0 && memcmp(px->palette + 3 * slots[at], c, 3) != 0)
      at = (at + 1) % SLOTS;
    if (slots[at] < 0) {
      if (px->colours == 256) {
        px->colours = -1;
        return;
      }
      memcpy(px->palette + 3 * px->colours, c, 3);
      slots[at] = (int16_t)px->colours++;
    }
    px->index[i] = (uint8_t)slots[at];
  }
}

static SIXELSTATUS encode(Pixels *px, int w, int h, sixel_output_t *output) {
  sixel_dither_t *dither = NULL;
  bool few = px->colours > 0;
  SIXELSTATUS status = sixel_dither_new(&dither, few ? px->colours : 256, NULL);
  if (SIXEL_FAILED(status)) return status;
  if (few) {
    sixel_dither_set_pixelformat(dither, SIXEL_PIXELFORMAT_PAL8);
    sixel_dither_set_palette(dither, px->palette);
  } else {
    status = sixel_dither_initialize(dither, px->rgb, w, h,
                                     SIXEL_PIXELFORMAT_RGB888, SIXEL_LARGE_NORM,
                                     SIXEL_REP_CENTER_BOX, SIXEL_QUALITY_LOW);
  }
  if (SIXEL_SUCCEEDED(status))
    status = sixel_encode(few ? px->index : px->rgb, w, h, 0, dither, output);
  sixel_dither_unref(dither);
  return status;
}

mt_Status mt_sixel_write(const mt_Picture *p, mt_Str *out, mt_Error *err) {
  sixel_output_t *output = NULL;
  size_t n = (size_t)p->width * p->height;
  Pixels px = {.rgb = malloc(n * 3), .index = malloc(n)};
  SIXELSTATUS status = px.rgb && px.index ? SIXEL_OK : SIXEL_BAD_ALLOCATION;
  if (SIXEL_SUCCEEDED(status))
    status = sixel_output_new(&output, take, out, NULL);
  if (SIXEL_SUCCEEDED(status)) {
    opaque(p, px.rgb);
    find_palette(&px, n);
    status = encode(&px, (int)p->width, (int)p->height, output);
  }
  if (output) sixel_output_unref(output);
  free(px.rgb);
  free(px.index);
  if (SIXEL_SUCCEEDED(status)) return MT_OK;
  return mt_error(err, MT_FAIL, "libsixel cannot encode the picture: %s",
                  sixel_helper_format_error(status));
}
#else
typedef int no_sixel;
#endif
