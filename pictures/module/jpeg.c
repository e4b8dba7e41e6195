/*
** jpeg.c - JPEG files by libjpeg-turbo, from memory.
**
** Like libpng it reports errors by a jump. It takes damage more lightly: what
** is missing it paints grey and warns; here a warning about the data is an
** error, so that no kernel computes with pixels that were never there.
*/
#ifdef MT_JPEG
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "base/cancel.h"
#include "pictures/module/module.h"

enum {
  MOST_SCANS = 100,   /* each goes through the whole picture */
  CODED_MOST = 512,   /* pixels in a byte: a bit for each block of 8 × 8 */
  ARITHMETIC_MOST = 1 << 16 /* the same for arithmetic coding */
};

typedef struct Work {
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_progress_mgr progress;
  const char *name;
  size_t size;
  mt_Picture *picture;
  uint8_t *row;
  mt_Status status;
  mt_Error *err;
  jmp_buf out;
} Work;

static Work *work_of(j_common_ptr jpeg) { return jpeg->client_data; }

static void stop(Work *w, mt_Status status) {
  w->status = status;
  longjmp(w->out, 1);
}

static void on_error(j_common_ptr jpeg) {
  char text[JMSG_LENGTH_MAX];
  Work *w = work_of(jpeg);
  jpeg->err->format_message(jpeg, text);
  stop(w, mt_error(w->err, MT_FAIL, "%s: the JPEG file cannot be read: %s",
                   w->name, text));
}

/* Level -1 is a warning. Bytes before a marker are common and harmless. */
static void on_message(j_common_ptr jpeg, int level) {
  char text[JMSG_LENGTH_MAX];
  Work *w = work_of(jpeg);
  int code = jpeg->err->msg_code;
  if (level >= 0 || code == JWRN_EXTRANEOUS_DATA || code == JWRN_ADOBE_XFORM ||
      code == JWRN_JFIF_MAJOR)
    return;
  jpeg->err->format_message(jpeg, text);
  stop(w, mt_error(w->err, MT_FAIL, "%s: the JPEG file is damaged: %s", w->name,
                   text));
}

static void on_progress(j_common_ptr jpeg) {
  Work *w = work_of(jpeg);
  if (w->jpeg.input_scan_number > MOST_SCANS)
    stop(w,
         mt_error(w->err, MT_FAIL, "%s: the JPEG file has more than %d scans",
                  w->name, MOST_SCANS));
  if (mt_cancelled())
    stop(w, mt_error(w->err, MT_CANCELLED, "%s: interrupted", w->name));
}

/* ------------------------------------------------------------------ pixels */

/* Inks, on what Adobe's programs write, are stored inverted. */
static void from_cmyk(const uint8_t *from, unsigned n, bool inverted,
                      uint8_t *to) {
  for (unsigned x = 0; x < n; x++, from += 4, to += 4) {
    unsigned black = inverted ? from[3] : 255 - from[3];
    for (int c = 0; c < 3; c++)
      to[c] = (uint8_t)((inverted ? from[c] : 255 - from[c]) * black / 255);
    to[3] = 255;
  }
}

static void from_colours(const uint8_t *from, unsigned n, unsigned channels,
                         uint8_t *to) {
  for (unsigned x = 0; x < n; x++, from += channels, to += 4) {
    for (int c = 0; c < 3; c++) to[c] = from[channels == 3 ? c : 0];
    to[3] = 255;
  }
}

static void read_rows(Work *w) {
  mt_Picture *p = w->picture;
  while (w->jpeg.output_scanline < w->jpeg.output_height) {
    uint8_t *to = p->rgba + (size_t)w->jpeg.output_scanline * p->width * 4;
    JSAMPROW row = w->row;
    jpeg_read_scanlines(&w->jpeg, &row, 1);
    if (w->jpeg.output_components == 4)
      from_cmyk(row, p->width, w->jpeg.saw_Adobe_marker, to);
    else from_colours(row, p->width, (unsigned)w->jpeg.output_components, to);
    on_progress((j_common_ptr)&w->jpeg);
  }
}

static void choose_colours(struct jpeg_decompress_struct *jpeg) {
  J_COLOR_SPACE in = jpeg->jpeg_color_space;
  jpeg->out_color_space = in == JCS_GRAYSCALE                ? JCS_GRAYSCALE
                          : in == JCS_CMYK || in == JCS_YCCK ? JCS_CMYK
                                                             : JCS_RGB;
}

static void turn(Work *w) {
  mt_Status status = MT_OK;
  for (jpeg_saved_marker_ptr m = w->jpeg.marker_list; m && status == MT_OK;
       m = m->next)
    if (m->marker == JPEG_APP0 + 1 && m->data_length > 6 &&
        memcmp(m->data, "Exif\0\0", 6) == 0) {
      status =
          mt_exif_turn(m->data + 6, m->data_length - 6, w->picture, w->err);
      break;
    }
  if (status != MT_OK) stop(w, status);
}

static void read_all(Work *w, const uint8_t *bytes) {
  struct jpeg_decompress_struct *jpeg = &w->jpeg;
  jpeg_create_decompress(jpeg);
  jpeg->client_data = w;
  jpeg->progress = &w->progress;
  w->progress.progress_monitor = on_progress;
  jpeg_mem_src(jpeg, (unsigned char *)bytes, (unsigned long)w->size);
  jpeg_save_markers(jpeg, JPEG_APP0 + 1, 0xffff);
  jpeg_read_header(jpeg, TRUE);
  mt_Status status = mt_claim_check(
      jpeg->image_width, jpeg->image_height, jpeg->image_width, w->size,
      jpeg->arith_code ? ARITHMETIC_MOST : CODED_MOST, w->name, w->err);
  if (status != MT_OK) stop(w, status);
  choose_colours(jpeg);
  jpeg_start_decompress(jpeg);
  w->row = malloc((size_t)jpeg->output_width * 4);
  if (w->row == NULL)
    stop(w, mt_error(w->err, MT_FAIL, "%s: not enough memory to read it",
                     w->name));
  status = mt_picture_new(jpeg->output_width, jpeg->output_height, 8,
                          w->picture, w->err);
  if (status != MT_OK) stop(w, status);
  w->picture->channels = jpeg->output_components == 1 ? 1 : 3;
  read_rows(w);
  turn(w); /* finishing forgets EXIF's data */
  jpeg_finish_decompress(jpeg);
  w->picture->left_over = jpeg->src->bytes_in_buffer;
}

mt_Status mt_jpeg_read(const uint8_t *bytes, size_t size, const char *name,
                       mt_Picture *out, mt_Error *err) {
  Work w = {.name = name, .size = size, .picture = out, .err = err};
  w.jpeg.err = jpeg_std_error(&w.errors);
  w.jpeg.client_data = &w;
  w.errors.error_exit = on_error;
  w.errors.emit_message = on_message;
  if (setjmp(w.out) == 0) read_all(&w, bytes);
  jpeg_destroy_decompress(&w.jpeg);
  free(w.row);
  return w.status;
}
#else
typedef int no_jpeg;
#endif
