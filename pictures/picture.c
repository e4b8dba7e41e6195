/*
** picture.c - the memory of a picture, and its size in pixels.
**
** Both filters work on one row of the result at a time. The box filter sums the
** pixels that a result covers, weighted by how much of each it covers, in
** fixed point: first along the rows, then down the columns.
*/
#include "pictures/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "pictures/inside.h"

mt_Status mt_picture_check_size(size_t width, size_t height, const char *name,
                                mt_Error *err) {
  if (width == 0 || height == 0)
    return mt_error(
        err, MT_FAIL,
        "%s: a picture needs at least one pixel, this one is %zu × %zu", name,
        width, height);
  if (width > MT_PICTURE_SIDE || height > MT_PICTURE_SIDE ||
      height > MT_PICTURE_MOST / width)
    return mt_error(err, MT_FAIL,
                    "%s: %zu × %zu pixels are too many: the limit is %d a side "
                    "and %zu in all",
                    name, width, height, MT_PICTURE_SIDE, MT_PICTURE_MOST);
  return MT_OK;
}

mt_Status mt_picture_new(unsigned width, unsigned height, unsigned bits,
                         mt_Picture *out, mt_Error *err) {
  *out = (mt_Picture){0};
  mt_Status status = mt_picture_check_size(width, height, "a new picture", err);
  if (status != MT_OK) return status;
  out->rgba = calloc((size_t)width * height, bits / 2);
  if (out->rgba == NULL)
    return mt_error(err, MT_FAIL,
                    "not enough memory for a picture of %u × %u pixels", width,
                    height);
  out->width = width;
  out->height = height;
  out->bits = bits;
  out->channels = 4;
  return MT_OK;
}

void mt_picture_free(mt_Picture *p) {
  free(p->rgba);
  *p = (mt_Picture){0};
}

void mt_picture_narrow(mt_Picture *p) {
  if (p->bits != 16) return;
  const uint16_t *from = (const uint16_t *)(const void *)p->rgba;
  size_t n = (size_t)p->width * p->height * 4;
  /* in place: a byte is never written before its word was read */
  for (size_t i = 0; i < n; i++)
    p->rgba[i] = (uint8_t)((from[i] * 255u + 32767u) / 65535u);
  p->bits = 8;
  uint8_t *less = realloc(p->rgba, n);
  if (less) p->rgba = less;
}

/* --------------------------------------------------------------- box filter */

enum { ONE = 1 << 12 }; /* the weight of a pixel that is covered whole */

/* Which pixels of 'from' one of 'to' covers: whole ones between two parts. */
typedef struct Span {
  unsigned first, last;       /* both covered, at least in part */
  unsigned at_first, at_last; /* their weights; others weigh ONE */
  uint64_t whole;             /* all weights together */
} Span;

static void make_spans(Span *spans, unsigned from, unsigned to) {
  for (unsigned i = 0; i < to; i++) {
    uint64_t begin = (uint64_t)i * from * ONE / to;
    uint64_t end = (uint64_t)(i + 1) * from * ONE / to;
    Span *s = &spans[i];
    s->first = (unsigned)(begin / ONE);
    s->last = (unsigned)((end - 1) / ONE);
    s->whole = end - begin;
    s->at_first = s->first == s->last ? (unsigned)s->whole
                                      : ONE - (unsigned)(begin % ONE);
    s->at_last = (unsigned)(end - (uint64_t)s->last * ONE);
  }
}

static unsigned weight_at(const Span *s, unsigned i) {
  return i == s->first ? s->at_first : i == s->last ? s->at_last : ONE;
}

/* Premultiplied sums of one row of 'p' along its spans, times 'weight', added
** to 'sums': four numbers a pixel of the result. */
static void add_row(const mt_Picture *p, unsigned y, const Span *across,
                    unsigned width, unsigned weight, uint64_t *sums) {
  const uint8_t *row = p->rgba + (size_t)y * p->width * 4;
  for (unsigned x = 0; x < width; x++) {
    uint64_t part[4] = {0, 0, 0, 0};
    const Span *s = &across[x];
    for (unsigned i = s->first; i <= s->last; i++) {
      const uint8_t *px = row + (size_t)i * 4;
      uint32_t a = weight_at(s, i) * px[3];
      part[0] += a * px[0];
      part[1] += a * px[1];
      part[2] += a * px[2];
      part[3] += a;
    }
    for (int c = 0; c < 4; c++) sums[4 * x + c] += part[c] * weight;
  }
}

/* Premultiplied sums to straight colours. */
static void finish_row(const uint64_t *sums, const Span *across, unsigned width,
                       uint64_t high, uint8_t *to) {
  for (unsigned x = 0; x < width; x++, sums += 4, to += 4) {
    uint64_t a = sums[3], whole = across[x].whole * high;
    for (int c = 0; c < 3; c++)
      to[c] = a ? (uint8_t)((sums[c] + a / 2) / a) : 0;
    to[3] = (uint8_t)((a + whole / 2) / whole);
  }
}

static mt_Status shrink(const mt_Picture *p, mt_Picture *out, mt_Error *err) {
  Span *across = malloc(((size_t)out->width + out->height) * sizeof *across);
  uint64_t *sums = malloc((size_t)out->width * 4 * sizeof *sums);
  mt_Status status = MT_OK;
  if (across == NULL || sums == NULL) {
    status = mt_error(err, MT_FAIL, "not enough memory to resize a picture");
    goto done;
  }
  Span *down = across + out->width;
  make_spans(across, p->width, out->width);
  make_spans(down, p->height, out->height);
  for (unsigned y = 0; y < out->height && status == MT_OK; y++) {
    memset(sums, 0, (size_t)out->width * 4 * sizeof *sums);
    const Span *s = &down[y];
    for (unsigned i = s->first; i <= s->last; i++)
      add_row(p, i, across, out->width, weight_at(s, i), sums);
    finish_row(sums, across, out->width, s->whole,
               out->rgba + (size_t)y * out->width * 4);
    if (mt_cancelled()) status = mt_error(err, MT_CANCELLED, "interrupted");
  }
done:
  free(across);
  free(sums);
  return status;
}

/* ------------------------------------------------------------------- repeat */

static void grow(const mt_Picture *p, mt_Picture *out) {
  for (unsigned y = 0; y < out->height; y++) {
    unsigned from = (unsigned)((uint64_t)y * p->height / out->height);
    const uint8_t *row = p->rgba + (size_t)from * p->width * 4;
    uint8_t *to = out->rgba + (size_t)y * out->width * 4;
    if (y && from == (unsigned)((uint64_t)(y - 1) * p->height / out->height)) {
      memcpy(to, to - (size_t)out->width * 4, (size_t)out->width * 4);
      continue;
    }
    for (unsigned x = 0; x < out->width; x++)
      memcpy(to + (size_t)x * 4, row + (uint64_t)x * p->width / out->width * 4,
             4);
  }
}

mt_Status mt_picture_resize(const mt_Picture *p, unsigned width,
                            unsigned height, mt_Picture *out, mt_Error *err) {
  mt_Picture half = *p; /* one side smaller, the other larger: in two steps */
  mt_Status status = MT_OK;
  *out = (mt_Picture){0};
  if (p->bits != 8)
    return mt_error(err, MT_BADARG, "only pictures of 8 bits are resized");
  if (width < p->width || height < p->height ||
      (width == p->width && height == p->height)) {
    unsigned w = width < p->width ? width : p->width,
             h = height < p->height ? height : p->height;
    status = mt_picture_new(w, h, 8, &half, err);
    if (status == MT_OK) status = shrink(p, &half, err);
    half.channels = p->channels;
  }
  if (status == MT_OK && half.width == width && half.height == height &&
      half.rgba != p->rgba) {
    *out = half;
    return MT_OK;
  }
  if (status == MT_OK) status = mt_picture_new(width, height, 8, out, err);
  if (status == MT_OK) {
    grow(&half, out);
    out->channels = p->channels;
  }
  if (half.rgba != p->rgba) mt_picture_free(&half);
  return status;
}
