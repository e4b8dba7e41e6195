/*
** show.c - a picture to the size of a window, and to the protocol that it has.
*/
#include <math.h>
#include <string.h>

#include "pictures/inside.h"

enum {
  ENLARGED = 320,  /* pixels to which small ones grow, where pixels are small */
  PROMPT_ROWS = 2, /* that stay free */
  SIXELS = 480 * 480 /* pixels: more take terminals, and libsixel, too long */
};

const char *mt_protocol_name(mt_Protocol way) {
  static const char *const names[MT_PROTOCOLS] = {
      "none", "ascii", "256", "blocks", "sixel", "iterm", "kitty"};
  return way < MT_PROTOCOLS ? names[way] : "";
}

static bool has_pixels(const mt_Terminal *t) { return t->way >= MT_SHOW_SIXEL; }

static unsigned at_most(unsigned v, unsigned most) {
  return v < most ? v : most;
}

/* v · a / b, rounded, at least 1 */
static unsigned part(unsigned v, unsigned a, unsigned b) {
  unsigned r = (unsigned)(((uint64_t)v * a + b / 2) / b);
  return r ? r : 1;
}

/* Fewer pixels of the same shape. */
static void limit_area(unsigned *width, unsigned *height, double most) {
  double factor = sqrt(most / ((double)*width * *height));
  if (factor >= 1) return;
  *width = (unsigned)fmax(1, *width * factor);
  *height = (unsigned)fmax(1, *height * factor);
}

void mt_picture_fit(const mt_Picture *p, const mt_Terminal *t, unsigned *width,
                    unsigned *height) {
  unsigned rows = t->rows > PROMPT_ROWS + 1 ? t->rows - PROMPT_ROWS : 1;
  /* the last column stays free: some terminals wrap there */
  unsigned columns = t->columns > 1 ? t->columns - 1 : 1;
  unsigned wide = has_pixels(t) ? columns * t->cell_width : columns;
  unsigned high = has_pixels(t) ? rows * t->cell_height : rows * 2;
  *width = p->width, *height = p->height;
  if (*width > wide) *width = wide, *height = part(p->height, wide, p->width);
  if (*height > high)
    *height = high, *width = at_most(part(p->width, high, p->height), wide);
  if (t->way == MT_SHOW_SIXEL) limit_area(width, height, SIXELS);
  if (*width < p->width || *height < p->height) return;
  if (has_pixels(t))
    wide = at_most(wide, ENLARGED), high = at_most(high, ENLARGED);
  unsigned factor = at_most(wide / p->width, high / p->height);
  if (factor > 1) *width *= factor, *height *= factor;
}

mt_Status mt_picture_draw(const mt_Picture *p, const mt_Terminal *t,
                          mt_Str *out, mt_Error *err) {
  size_t before = out->length;
  mt_Status status = MT_OK;
  if (t->way == MT_SHOW_KITTY) mt_show_kitty(p, t, out);
  else if (t->way == MT_SHOW_ITERM) status = mt_show_iterm(p, t, out, err);
  else if (t->way == MT_SHOW_SIXEL) status = mt_show_sixel(p, t, out, err);
  else if (t->way == MT_SHOW_ASCII) mt_show_ascii(p, out);
  else if (t->way != MT_SHOW_NONE)
    mt_show_blocks(p, t->way == MT_SHOW_256, out);
  if (status != MT_OK) out->length = before;
  else if (out->failed)
    status = mt_error(err, MT_FAIL, "not enough memory to show the picture");
  return status;
}

static mt_Status fit_and_draw(const mt_Picture *p, const mt_Terminal *t,
                              mt_Str *out, mt_Error *err) {
  unsigned width, height;
  mt_Picture fitted = {0};
  mt_picture_fit(p, t, &width, &height);
  if (width == p->width && height == p->height)
    return mt_picture_draw(p, t, out, err);
  mt_Status status = mt_picture_resize(p, width, height, &fitted, err);
  if (status == MT_OK) status = mt_picture_draw(&fitted, t, out, err);
  mt_picture_free(&fitted);
  return status;
}

static mt_Status copy_narrow(const mt_Picture *p, mt_Picture *out,
                             mt_Error *err) {
  mt_Status status = mt_picture_new(p->width, p->height, 16, out, err);
  if (status != MT_OK) return status;
  memcpy(out->rgba, p->rgba, (size_t)p->width * p->height * 8);
  mt_picture_narrow(out);
  return MT_OK;
}

mt_Status mt_picture_show(const mt_Picture *p, const mt_Terminal *t,
                          mt_Str *out, mt_Error *err) {
  mt_Picture narrow = {0};
  mt_Terminal plain = *t;
  mt_Status status = MT_OK;
  if (t->way == MT_SHOW_NONE) return MT_OK;
  if (p->bits == 16) {
    status = copy_narrow(p, &narrow, err);
    p = &narrow;
  }
  if (status == MT_OK) status = fit_and_draw(p, t, out, err);
  if (status == MT_FAIL &&
      (t->way == MT_SHOW_SIXEL || t->way == MT_SHOW_ITERM)) {
    plain.way = MT_SHOW_BLOCKS;
    status = fit_and_draw(p, &plain, out, err);
  }
  mt_picture_free(&narrow);
  return status;
}
