/*
** png.c - PNG files by libpng, from memory and to memory.
**
** libpng reports an error by a jump to where its caller said; all that must be
** given back is in one struct that lives outside the jump.
*/
#ifdef MT_PNG
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cancel.h"
#include "pictures/module/module.h"

#define CHUNK_MOST (8u << 20) /* bytes of one chunk that libpng keeps */
#define DEFLATE_MOST 1032     /* bytes that one byte can stand for, at most */

typedef struct Work {
  png_structp png;
  png_infop info;
  const char *name;      /* for messages */
  const uint8_t *bytes;  /* reading: the file, and the place in it */
  size_t size, at;
  mt_Str *file;          /* writing: the file */
  mt_Picture *picture;
  uint8_t *row;          /* writing: one row as it is stored */
  mt_Status status;
  mt_Error *err;
  jmp_buf out;
} Work;

static void on_error(png_structp png, png_const_charp text) {
  Work *w = png_get_error_ptr(png);
  if (w->status == MT_OK)
    w->status = mt_error(w->err, MT_FAIL, "%s: the PNG file is damaged: %s",
                         w->name, text);
  longjmp(w->out, 1);
}

/* Our own reason to stop, with the sentence already written. */
static void stop(Work *w, mt_Status status) {
  w->status = status;
  longjmp(w->out, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
  (void)png, (void)text;
}

/* ----------------------------------------------------------------- reading */

static void take_bytes(png_structp png, png_bytep to, png_size_t n) {
  Work *w = png_get_io_ptr(png);
  if (n > w->size - w->at)
    stop(w,
         mt_error(w->err, MT_FAIL, "%s: the PNG file is cut short", w->name));
  memcpy(to, w->bytes + w->at, n);
  w->at += n;
}

/* Any kind of PNG as RGBA of 8 or 16 bits. */
static void ask_for_rgba(Work *w, unsigned bits) {
  const uint16_t one = 1;
  png_set_expand(w->png); /* palettes, fewer bits than 8, tRNS */
  png_set_gray_to_rgb(w->png);
  png_set_add_alpha(w->png, bits == 16 ? 65535 : 255, PNG_FILLER_AFTER);
  if (bits == 16 && *(const uint8_t *)&one) png_set_swap(w->png);
}

/* 1 to 4, as the file has them; a palette counts as colours. */
static unsigned channels_of(Work *w) {
  int type = png_get_color_type(w->png, w->info);
  bool alpha = (type & PNG_COLOR_MASK_ALPHA) ||
               png_get_valid(w->png, w->info, PNG_INFO_tRNS);
  return (type & PNG_COLOR_MASK_COLOR ? 3 : 1) + alpha;
}

static void read_rows(Work *w, int passes) {
  size_t row = png_get_rowbytes(w->png, w->info);
  mt_Picture *p = w->picture;
  if (row != (size_t)p->width * p->bits / 2)
    png_error(w->png, "rows of an unexpected size");
  for (int pass = 0; pass < passes; pass++)
    for (unsigned y = 0; y < p->height; y++) {
      png_read_row(w->png, p->rgba + y * row, NULL);
      if (mt_cancelled())
        stop(w, mt_error(w->err, MT_CANCELLED, "%s: interrupted", w->name));
    }
}

static void turn(Work *w) {
#ifdef PNG_eXIf_SUPPORTED
  png_bytep exif;
  png_uint_32 n;
  if (!png_get_eXIf_1(w->png, w->info, &n, &exif)) return;
  mt_Status status = mt_exif_turn(exif, n, w->picture, w->err);
  if (status != MT_OK) stop(w, status);
#else
  (void)w;
#endif
}

static void read_all(Work *w) {
  png_set_read_fn(w->png, w, take_bytes);
  png_set_user_limits(w->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_chunk_malloc_max(w->png, CHUNK_MOST);
  png_set_chunk_cache_max(w->png, 64);
  png_read_info(w->png, w->info);
  unsigned width = png_get_image_width(w->png, w->info),
           height = png_get_image_height(w->png, w->info);
  unsigned bits = png_get_bit_depth(w->png, w->info) == 16 ? 16 : 8,
           channels = channels_of(w);
  mt_Status status =
      mt_claim_check(width, height, png_get_rowbytes(w->png, w->info), w->size,
                     DEFLATE_MOST, w->name, w->err);
  if (status != MT_OK) stop(w, status);
  ask_for_rgba(w, bits);
  int passes = png_set_interlace_handling(w->png);
  png_read_update_info(w->png, w->info);
  status = mt_picture_new(width, height, bits, w->picture, w->err);
  if (status != MT_OK) stop(w, status);
  w->picture->channels = channels;
  read_rows(w, passes);
  png_read_end(w->png, w->info);
  turn(w);
  w->picture->left_over = w->size - w->at;
}

mt_Status mt_png_read(const uint8_t *bytes, size_t size, const char *name,
                      mt_Picture *out, mt_Error *err) {
  Work w = {
      .name = name, .bytes = bytes, .size = size, .picture = out, .err = err};
  w.png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &w, on_error, on_warning);
  w.info = w.png ? png_create_info_struct(w.png) : NULL;
  if (w.info == NULL)
    w.status = mt_error(err, MT_FAIL, "%s: not enough memory to read it", name);
  else if (setjmp(w.out) == 0) read_all(&w);
  if (w.png) png_destroy_read_struct(&w.png, &w.info, NULL);
  return w.status;
}

/* ----------------------------------------------------------------- writing */

static void give_bytes(png_structp png, png_bytep bytes, png_size_t n) {
  Work *w = png_get_io_ptr(png);
  mt_str_add_bytes(w->file, bytes, n);
}

static void flush(png_structp png) { (void)png; }

/* One row with the picture's channels: grey takes red, all three being equal.
** */
static void store_row(Work *w, unsigned y) {
  const mt_Picture *p = w->picture;
  size_t part = p->bits / 8, n = p->channels;
  const uint8_t *from = p->rgba + (size_t)y * p->width * 4 * part;
  uint8_t *to = w->row;
  for (unsigned x = 0; x < p->width; x++, from += 4 * part, to += n * part) {
    memcpy(to, from, (n > 2 ? n : 1) * part);
    if (n == 2) memcpy(to + part, from + 3 * part, part);
  }
}

static void write_all(Work *w, bool quick) {
  static const int types[5] = {0, PNG_COLOR_TYPE_GRAY,
                               PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                               PNG_COLOR_TYPE_RGB_ALPHA};
  const mt_Picture *p = w->picture;
  const uint16_t one = 1;
  png_set_write_fn(w->png, w, give_bytes, flush);
  png_set_user_limits(w->png, MT_PICTURE_SIDE, MT_PICTURE_SIDE);
  png_set_IHDR(w->png, w->info, p->width, p->height, (int)p->bits,
               types[p->channels], PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (quick)
    png_set_compression_level(w->png, 0),
        png_set_filter(w->png, 0, PNG_FILTER_NONE);
  png_write_info(w->png, w->info);
  if (p->bits == 16 && *(const uint8_t *)&one) png_set_swap(w->png);
  for (unsigned y = 0; y < p->height; y++) {
    store_row(w, y);
    png_write_row(w->png, w->row);
    if (mt_cancelled())
      stop(w, mt_error(w->err, MT_CANCELLED,
                       "interrupted, the picture is not written"));
  }
  png_write_end(w->png, w->info);
  if (w->file->failed)
    stop(w,
         mt_error(w->err, MT_FAIL, "not enough memory to write the picture"));
}

mt_Status mt_png_write(const mt_Picture *p, bool quick, mt_Str *out,
                       mt_Error *err) {
  mt_Picture copy = *p;
  Work w = {.name = "the picture", .file = out, .picture = &copy, .err = err};
  w.row = malloc((size_t)p->width * p->bits / 2);
  w.png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &w, on_error, on_warning);
  w.info = w.png ? png_create_info_struct(w.png) : NULL;
  if (w.info == NULL || w.row == NULL)
    w.status = mt_error(err, MT_FAIL, "not enough memory to write the picture");
  else if (setjmp(w.out) == 0) write_all(&w, quick);
  if (w.png) png_destroy_write_struct(&w.png, &w.info);
  free(w.row);
  return w.status;
}
#else
typedef int no_png;
#endif
