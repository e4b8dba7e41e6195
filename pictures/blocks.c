/*
** blocks.c - pictures as characters: half blocks in colour, shades of ASCII.
**
** A cell is two pixels, one above the other: "▀" has the upper as its colour
** and the lower as its background; two equal ones are a blank. A colour is only
** said when it changes.
*/
#include <string.h>

#include "pictures/inside.h"

void mt_picture_opaque(const mt_Picture *p, unsigned x, unsigned y,
                       uint8_t rgb[3]) {
  const uint8_t *px = p->rgba + ((size_t)y * p->width + x) * 4;
  unsigned a = px[3], board = (x / 4 + y / 4) % 2 ? 0x99 : 0x66;
  for (int c = 0; c < 3; c++)
    rgb[c] = (uint8_t)((px[c] * a + board * (255 - a) + 127) / 255);
}

/* ------------------------------------------------------------- 256 colours */

static const uint8_t steps[6] = {0, 95, 135, 175, 215, 255};

static int nearest_step(int v) {
  return v < 48 ? 0 : v < 115 ? 1 : (v - 35) / 40;
}

static int distance(const uint8_t a[3], int r, int g, int b) {
  return (a[0] - r) * (a[0] - r) + (a[1] - g) * (a[1] - g) +
         (a[2] - b) * (a[2] - b);
}

/* The nearest of the cube of 216 and the 24 greys, 16 to 255. The first 16
** differ from terminal to terminal and are not used. */
static int palette_index(const uint8_t c[3]) {
  int r = nearest_step(c[0]), g = nearest_step(c[1]), b = nearest_step(c[2]);
  int mean = (c[0] + c[1] + c[2]) / 3;
  int shade = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
  int grey = 8 + 10 * shade;
  if (distance(c, grey, grey, grey) < distance(c, steps[r], steps[g], steps[b]))
    return 232 + shade;
  return 16 + 36 * r + 6 * g + b;
}

/* ------------------------------------------------------------- half blocks */

/* The colours that the terminal has now; -1: its own. */
typedef struct Pen {
  long front, back;
  bool palette;
  mt_Str *out;
} Pen;

static long colour_of(const Pen *pen, const uint8_t c[3]) {
  return pen->palette ? palette_index(c) : (long)c[0] << 16 | c[1] << 8 | c[2];
}

/* printf would take longer than all the rest */
static char *put_byte(char *to, unsigned v) {
  *to++ = ';';
  if (v > 99) *to++ = (char)('0' + v / 100);
  if (v > 9) *to++ = (char)('0' + v / 10 % 10);
  *to++ = (char)('0' + v % 10);
  return to;
}

static void add_colour(Pen *pen, bool back, long c) {
  char text[24] = "\033[38;2", *to = text + (c < 0 ? 4 : 6);
  long *now = back ? &pen->back : &pen->front;
  if (*now == c) return;
  *now = c;
  if (back) text[2] = '4';
  if (c < 0) text[3] = '9'; /* the terminal's own */
  else if (pen->palette) text[5] = '5', to = put_byte(to, (unsigned)c);
  else
    for (int shift = 16; shift >= 0; shift -= 8)
      to = put_byte(to, c >> shift & 255);
  *to++ = 'm';
  mt_str_add_bytes(pen->out, text, (size_t)(to - text));
}

static void add_cell(Pen *pen, long above, long below) {
  add_colour(pen, true, below);
  if (above == below) {
    mt_str_add_char(pen->out, ' ');
    return;
  }
  add_colour(pen, false, above);
  mt_str_add(pen->out, "▀");
}

void mt_show_blocks(const mt_Picture *p, bool palette, mt_Str *out) {
  for (unsigned y = 0; y < p->height; y += 2) {
    Pen pen = {-1, -1, palette, out};
    for (unsigned x = 0; x < p->width; x++) {
      uint8_t above[3], below[3];
      mt_picture_opaque(p, x, y, above);
      if (y + 1 < p->height) mt_picture_opaque(p, x, y + 1, below);
      add_cell(&pen, colour_of(&pen, above),
               y + 1 < p->height ? colour_of(&pen, below) : -1);
    }
    mt_str_add(out, "\033[0m\n");
  }
}

/* ------------------------------------------------------------------- ASCII */

/* 0 to 255000 */
static unsigned luminance(const mt_Picture *p, unsigned x, unsigned y) {
  const uint8_t *px = p->rgba + ((size_t)y * p->width + x) * 4;
  return (213u * px[0] + 715u * px[1] + 72u * px[2]) * px[3] / 255;
}

void mt_show_ascii(const mt_Picture *p, mt_Str *out) {
  static const char shades[] = " .:-=+*#%@";
  for (unsigned y = 0; y < p->height; y += 2) {
    size_t end = out->length; /* blanks at the end of a line are left out */
    for (unsigned x = 0; x < p->width; x++) {
      unsigned lower = y + 1 < p->height ? y + 1 : y;
      unsigned light = (luminance(p, x, y) + luminance(p, x, lower)) / 2;
      char c = shades[light * 10 / 255001];
      mt_str_add_char(out, c);
      if (c != ' ') end = out->length;
    }
    out->length = end < out->length ? end : out->length;
    mt_str_add_char(out, '\n');
  }
}
