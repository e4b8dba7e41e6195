/*
** animation.c - what differs from picture to picture, and where it goes.
*/
#include "pictures/animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pictures/inside.h"
#include "pictures/palette.h"

struct mt_Animation {
  mt_AnimationKind kind;
  unsigned width, height;
  double fps;
  unsigned count;   /* pictures so far */
  uint8_t *last;    /* the picture before; NULL: none */
  uint8_t *part;    /* the rectangle that differs, RGBA */
  bool *differs;    /* for each of its pixels; GIF */
  uint8_t *indices; /* their colours; GIF */
  void *gif;        /* giflib's */
  uint32_t sequence; /* of APNG's chunks */
  mt_Str head,
      body; /* of the file; the head of an APNG ends with its picture's */
};

typedef struct Rectangle {
  unsigned x, y, width, height;
} Rectangle;

bool mt_animation_kind(const char *path, mt_AnimationKind *out) {
  const char *dot = strrchr(path, '.');
  if (dot == NULL) return false;
  *out = strcmp(dot, ".gif") == 0 ? MT_ANIMATION_GIF : MT_ANIMATION_APNG;
  return *out == MT_ANIMATION_GIF || strcmp(dot, ".png") == 0 ||
         strcmp(dot, ".apng") == 0;
}

void mt_animation_free(mt_Animation *a) {
  if (a == NULL) return;
  mt_Error ignored;
  const mt_PictureModule *module =
      a->gif ? mt_picture_module_load(&ignored) : NULL;
  if (module) module->gif_end(a->gif, &ignored);
  free(a->last);
  free(a->part);
  free(a->differs);
  free(a->indices);
  mt_str_free(&a->head);
  mt_str_free(&a->body);
  free(a);
}

static mt_Status start_gif(mt_Animation *a, mt_Error *err) {
  const mt_PictureModule *module = mt_picture_module_load(err);
  if (module == NULL) return MT_FAIL;
  if (module->gif_begin == NULL)
    return mt_picture_lacks("GIF files need giflib", "libgif-dev", "giflib",
                            err);
  if (a->fps > MT_GIF_MOST_FPS)
    return mt_error(
        err, MT_BADARG,
        "a GIF has at most %d frames a second, not %g: browsers slow it down",
        MT_GIF_MOST_FPS, a->fps);
  return module->gif_begin(a->width, a->height, &a->body, &a->gif, err);
}

mt_Status mt_animation_new(mt_AnimationKind kind, unsigned width,
                           unsigned height, double fps, mt_Animation **out,
                           mt_Error *err) {
  *out = NULL;
  size_t n = (size_t)width * height;
  mt_Status status = mt_picture_check_size(width, height, "an animation", err);
  if (status != MT_OK) return status;
  mt_Animation *a = calloc(1, sizeof *a);
  if (a == NULL)
    return mt_error(err, MT_FAIL, "not enough memory for an animation");
  *a = (mt_Animation){.kind = kind,
                      .width = width,
                      .height = height,
                      .fps = fps,
                      .last = malloc(n * 4),
                      .part = malloc(n * 4),
                      .differs = malloc(n),
                      .indices = malloc(n),
                      .head = MT_STR_INIT,
                      .body = MT_STR_INIT};
  if (!a->last || !a->part || !a->differs || !a->indices)
    status =
        mt_error(err, MT_FAIL, "not enough memory for an animation of %u × %u",
                 width, height);
  if (status == MT_OK && kind == MT_ANIMATION_GIF) status = start_gif(a, err);
  if (status == MT_OK) *out = a;
  else mt_animation_free(a);
  return status;
}

/* ------------------------------------------------------------- differences */

static bool same(const uint8_t *a, const uint8_t *b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static void include(Rectangle *r, unsigned x, unsigned y) {
  unsigned right = r->x + r->width, below = r->y + r->height;
  if (r->width == 0) {
    *r = (Rectangle){x, y, 1, 1};
    return;
  }
  if (x < r->x) r->x = x;
  if (x + 1 > right) right = x + 1;
  if (y + 1 > below) below = y + 1;
  r->width = right - r->x;
  r->height = below - r->y;
}

/* The rectangle of all pixels that differ; of one pixel, if none does. */
static Rectangle find_part(const mt_Animation *a, const uint8_t *rgba) {
  Rectangle r = {0, 0, 0, 0};
  if (a->count == 0) return (Rectangle){0, 0, a->width, a->height};
  for (unsigned y = 0; y < a->height; y++) {
    const uint8_t *new = rgba + (size_t)y * a->width * 4,
                  *old = a->last + (size_t)y * a->width * 4;
    unsigned left = 0, right = a->width;
    while (left < right && same(new + 4 * left, old + 4 * left)) left++;
    if (left == right) continue;
    while (same(new + 4 * (right - 1), old + 4 * (right - 1))) right--;
    include(&r, left, y);
    include(&r, right - 1, y);
  }
  return r.width ? r : (Rectangle){0, 0, 1, 1};
}

static void copy_part(mt_Animation *a, const uint8_t *rgba,
                      const Rectangle *r) {
  size_t i = 0;
  for (unsigned y = r->y; y < r->y + r->height; y++)
    for (unsigned x = r->x; x < r->x + r->width; x++, i++) {
      const uint8_t *px = rgba + ((size_t)y * a->width + x) * 4;
      memcpy(a->part + 4 * i, px, 3);
      a->part[4 * i + 3] = 255;
      a->differs[i] =
          a->count == 0 || !same(px, a->last + ((size_t)y * a->width + x) * 4);
    }
}

/* --------------------------------------------------------------------- GIF */

/* Hundredths of a second, so that the sum stays right. */
static unsigned gif_delay(const mt_Animation *a) {
  double now = floor(a->count * 100 / a->fps + 0.5),
         next = floor((a->count + 1) * 100 / a->fps + 0.5);
  return (unsigned)(next - now);
}

static mt_Status add_gif(mt_Animation *a, const Rectangle *r, mt_Error *err) {
  uint8_t palette[256][3] = {{0}};
  unsigned colours = 0;
  size_t n = (size_t)r->width * r->height;
  memset(a->indices, MT_PALETTE_MOST, n); /* transparent */
  mt_Status status = mt_palette_make(a->part, a->differs, n, palette, &colours,
                                     a->indices, err);
  if (status != MT_OK) return status;
  const mt_PictureModule *module = mt_picture_module_load(err);
  return module->gif_add(a->gif, r->x, r->y, r->width, r->height, a->indices,
                         (const uint8_t (*)[3])palette, gif_delay(a), err);
}

/* -------------------------------------------------------------------- APNG */

static void add_u32(uint8_t *to, uint32_t v) {
  for (int i = 0; i < 4; i++) to[i] = (uint8_t)(v >> (24 - 8 * i));
}

static uint32_t read_u32(const uint8_t *from) {
  return (uint32_t)from[0] << 24 | (uint32_t)from[1] << 16 |
         (uint32_t)from[2] << 8 | from[3];
}

/* CRC-32 as PNG has it. */
static uint32_t crc_of(const uint8_t *bytes, size_t n, uint32_t crc) {
  static uint32_t table[256];
  if (table[1] == 0)
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t c = i;
      for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
      table[i] = c;
    }
  for (size_t i = 0; i < n; i++) crc = table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
  return crc;
}

/* A chunk of two pieces. */
static void add_chunk(mt_Str *out, const char *type, const uint8_t *first,
                      size_t n, const uint8_t *second, size_t m) {
  uint8_t word[4];
  add_u32(word, (uint32_t)(n + m));
  mt_str_add_bytes(out, (const char *)word, 4);
  mt_str_add_bytes(out, type, 4);
  if (n) mt_str_add_bytes(out, (const char *)first, n);
  if (m) mt_str_add_bytes(out, (const char *)second, m);
  uint32_t crc = crc_of((const uint8_t *)type, 4, 0xffffffffu);
  add_u32(word, ~crc_of(second, m, crc_of(first, n, crc)));
  mt_str_add_bytes(out, (const char *)word, 4);
}

static void add_control(mt_Animation *a, const Rectangle *r) {
  uint8_t c[26] = {0};
  bool whole = a->fps == floor(a->fps) && a->fps < 65536;
  unsigned den = whole ? (unsigned)a->fps : 10000,
           num = whole ? 1 : (unsigned)(10000 / a->fps + 0.5);
  add_u32(c, a->sequence++);
  add_u32(c + 4, r->width);
  add_u32(c + 8, r->height);
  add_u32(c + 12, r->x);
  add_u32(c + 16, r->y);
  c[20] = (uint8_t)(num >> 8), c[21] = (uint8_t)num,
  c[22] = (uint8_t)(den >> 8), c[23] = (uint8_t)den;
  add_chunk(&a->body, "fcTL", c, sizeof c, NULL,
            0); /* disposed: kept; blended: replaced */
}

/* Take what is needed of a picture's own file: IHDR of the first, all IDAT. */
static void take_chunks(mt_Animation *a, const mt_Str *png) {
  const uint8_t *at = (const uint8_t *)png->text + 8,
                *end = (const uint8_t *)png->text + png->length;
  while (end - at >= 12) {
    size_t n = read_u32(at);
    if (memcmp(at + 4, "IHDR", 4) == 0 && a->count == 0)
      add_chunk(&a->head, "IHDR", at + 8, n, NULL, 0);
    if (memcmp(at + 4, "IDAT", 4) == 0) {
      uint8_t number[4];
      add_u32(number, a->sequence);
      if (a->count == 0) add_chunk(&a->body, "IDAT", at + 8, n, NULL, 0);
      else a->sequence++, add_chunk(&a->body, "fdAT", number, 4, at + 8, n);
    }
    at += n + 12;
  }
}

static mt_Status add_apng(mt_Animation *a, const Rectangle *r, mt_Error *err) {
  mt_Str png = MT_STR_INIT;
  mt_Picture p = {.width = r->width,
                  .height = r->height,
                  .bits = 8,
                  .channels = 3,
                  .rgba = a->part};
  mt_Status status = mt_picture_png(&p, false, &png, err);
  if (status == MT_OK) {
    add_control(a, r);
    take_chunks(a, &png);
  }
  mt_str_free(&png);
  return status;
}

static void finish_apng(mt_Animation *a, mt_Str *out) {
  uint8_t control[8] = {0}; /* so many pictures; for ever */
  add_u32(control, a->count);
  mt_str_add_bytes(out, "\x89PNG\r\n\x1a\n", 8);
  mt_str_add_bytes(out, mt_str_text(&a->head), a->head.length);
  add_chunk(out, "acTL", control, sizeof control, NULL, 0);
  mt_str_add_bytes(out, mt_str_text(&a->body), a->body.length);
  add_chunk(out, "IEND", NULL, 0, NULL, 0);
}

/* ------------------------------------------------------------------ public */

mt_Status mt_animation_add(mt_Animation *a, const uint8_t *rgba,
                           mt_Error *err) {
  Rectangle r = find_part(a, rgba);
  copy_part(a, rgba, &r);
  mt_Status status =
      a->kind == MT_ANIMATION_GIF ? add_gif(a, &r, err) : add_apng(a, &r, err);
  if (status != MT_OK) return status;
  memcpy(a->last, rgba, (size_t)a->width * a->height * 4);
  a->count++;
  if (a->body.failed || a->head.failed)
    return mt_error(err, MT_FAIL, "not enough memory for the animation");
  return MT_OK;
}

mt_Status mt_animation_finish(mt_Animation *a, mt_Str *out, mt_Error *err) {
  if (a->count == 0)
    return mt_error(err, MT_BADARG, "an animation needs at least one picture");
  if (a->kind == MT_ANIMATION_APNG) finish_apng(a, out);
  else {
    const mt_PictureModule *module = mt_picture_module_load(err);
    mt_Status status = module->gif_end(a->gif, err);
    a->gif = NULL;
    if (status != MT_OK) return status;
    mt_str_add_bytes(out, mt_str_text(&a->body), a->body.length);
  }
  if (out->failed)
    return mt_error(err, MT_FAIL, "not enough memory for the animation");
  return MT_OK;
}
