/*
** escapes.c - terminals that take pixels: kitty's protocol, iTerm2's, sixel.
**
** Each is an escape sequence with the picture in it. Inside tmux a sequence for
** the terminal around it goes into another one, with its ESC doubled; tmux then
** does not know that there is a picture. So with kitty's protocol the cells are
** filled with placeholders, characters that tmux moves like any other and that
** the terminal replaces by the parts of the picture.
*/
#include <stdlib.h>
#include <string.h>

#include "pictures/inside.h"

enum { CHUNK = 4096 }; /* bytes of base64 in one of kitty's sequences */

/* -------------------------------------------------------------------- tmux */

/* Append one sequence, wrapped where tmux would otherwise keep it. */
static void add_sequence(mt_Str *out, const mt_Terminal *t,
                         const mt_Str *sequence) {
  if (!t->tmux) {
    mt_str_add_bytes(out, mt_str_text(sequence), sequence->length);
    return;
  }
  mt_str_add(out, "\033Ptmux;");
  for (size_t i = 0; i < sequence->length; i++) {
    if (sequence->text[i] == '\033') mt_str_add_char(out, '\033');
    mt_str_add_char(out, sequence->text[i]);
  }
  mt_str_add(out, "\033\\");
}

/* Marks above a placeholder: its row. The first of kitty's list; a picture has
** no more rows than this. */
static const uint16_t row_marks[] = {
    0x0305, 0x030D, 0x030E, 0x0310, 0x0312, 0x033D, 0x033E, 0x033F, 0x0346,
    0x034A, 0x034B, 0x034C, 0x0350, 0x0351, 0x0352, 0x0357, 0x035B, 0x0363,
    0x0364, 0x0365, 0x0366, 0x0367, 0x0368, 0x0369, 0x036A, 0x036B, 0x036C,
    0x036D, 0x036E, 0x036F, 0x0483, 0x0484, 0x0485, 0x0486, 0x0487, 0x0592,
    0x0593, 0x0594, 0x0595, 0x0597, 0x0598, 0x0599, 0x059C, 0x059D, 0x059E,
    0x059F, 0x05A0, 0x05A1, 0x05A8, 0x05A9, 0x05AB, 0x05AC, 0x05AF, 0x05C4,
    0x0610, 0x0611, 0x0612, 0x0613, 0x0614, 0x0615, 0x0616, 0x0617, 0x0657,
    0x0658, 0x0659, 0x065A, 0x065B, 0x065D, 0x065E, 0x06D6, 0x06D7, 0x06D8,
    0x06D9, 0x06DA, 0x06DB, 0x06DC, 0x06DF, 0x06E0, 0x06E1, 0x06E2, 0x06E4,
    0x06E7, 0x06E8, 0x06EB, 0x06EC, 0x0730, 0x0732, 0x0733, 0x0735, 0x0736,
    0x073A, 0x073D, 0x073F, 0x0740, 0x0741, 0x0743};
enum { MOST_ROWS = sizeof row_marks / sizeof row_marks[0] };

static void add_placeholders(mt_Str *out, unsigned id, unsigned columns,
                             unsigned rows) {
  for (unsigned r = 0; r < rows; r++) {
    mt_str_addf(out, "\033[38;2;%u;%u;%um", id >> 16 & 255, id >> 8 & 255,
                id & 255);
    for (unsigned c = 0; c < columns; c++) {
      mt_str_add(out, "\xf4\x8e\xbb\xae"); /* U+10EEEE */
      if (c > 0) continue; /* the others count on from the first */
      mt_str_add_char(out, (char)(0xc0 | row_marks[r] >> 6));
      mt_str_add_char(out, (char)(0x80 | (row_marks[r] & 63)));
      mt_str_add(out, "\xcc\x85"); /* column 0 */
    }
    mt_str_add(out, "\033[39m\n");
  }
}

/* ------------------------------------------------------------------- kitty */

/* The pixels, without alpha where there is none; over ssh a PNG file, which is
** shorter. Returns the format: 24, 32 or 100. */
static int kitty_pixels(const mt_Picture *p, bool far, mt_Str *out) {
  if (far && mt_picture_png(p, false, out, NULL) == MT_OK) return 100;
  mt_str_clear(out);
  size_t n = (size_t)p->width * p->height, opaque = 0;
  while (opaque < n && p->rgba[opaque * 4 + 3] == 255) opaque++;
  if (opaque < n) {
    mt_str_add_bytes(out, p->rgba, n * 4);
    return 32;
  }
  if (!mt_str_reserve(out, n * 3)) return 24;
  char *to = out->text;
  for (size_t i = 0; i < n; i++, to += 3) memcpy(to, p->rgba + i * 4, 3);
  out->length = n * 3;
  return 24;
}

/* q=2: the terminal is to answer nothing. */
static void add_controls(mt_Str *s, const mt_Picture *p, int format,
                         const mt_Terminal *t, unsigned id) {
  mt_str_addf(s, "a=T,q=2,f=%d,s=%u,v=%u,", format, p->width, p->height);
  if (t->tmux)
    mt_str_addf(s, "U=1,i=%u,c=%u,r=%u,", id,
                (p->width + t->cell_width - 1) / t->cell_width,
                (p->height + t->cell_height - 1) / t->cell_height);
}

void mt_show_kitty(const mt_Picture *p, const mt_Terminal *t, mt_Str *out) {
  static unsigned last_id;
  mt_Str pixels = MT_STR_INIT, one = MT_STR_INIT;
  unsigned id = 0x4d0000 + (++last_id & 0xffff),
           rows = (p->height + t->cell_height - 1) / t->cell_height;
  int format = kitty_pixels(p, t->far, &pixels);
  for (size_t at = 0; at < pixels.length; at += CHUNK / 4 * 3) {
    size_t n =
        pixels.length - at < CHUNK / 4 * 3 ? pixels.length - at : CHUNK / 4 * 3;
    mt_str_clear(&one);
    mt_str_add(&one, "\033_G");
    if (at == 0) add_controls(&one, p, format, t, id);
    mt_str_addf(&one, "m=%d;", at + n < pixels.length);
    mt_str_add_base64(&one, pixels.text + at, n);
    mt_str_add(&one, "\033\\");
    add_sequence(out, t, &one);
  }
  if (t->tmux)
    add_placeholders(out, id, (p->width + t->cell_width - 1) / t->cell_width,
                     rows < MOST_ROWS ? rows : MOST_ROWS);
  else mt_str_add(out, "\n");
  out->failed |= pixels.failed || one.failed;
  mt_str_free(&pixels);
  mt_str_free(&one);
}

/* -------------------------------------------------------- iTerm2 and sixel */

mt_Status mt_show_iterm(const mt_Picture *p, const mt_Terminal *t, mt_Str *out,
                        mt_Error *err) {
  mt_Str png = MT_STR_INIT, one = MT_STR_INIT;
  mt_Status status = mt_picture_png(p, !t->far, &png, err);
  if (status == MT_OK) {
    mt_str_addf(&one,
                "\033]1337;File=inline=1;size=%zu;width=%upx;height=%upx;"
                "preserveAspectRatio=1:",
                png.length, p->width, p->height);
    mt_str_add_base64(&one, png.text, png.length);
    mt_str_add(&one, "\a");
    add_sequence(out, t, &one);
    mt_str_add(out, "\n");
  }
  out->failed |= png.failed || one.failed;
  mt_str_free(&png);
  mt_str_free(&one);
  return status;
}

/* tmux with sixels shows them itself: never wrapped. */
mt_Status mt_show_sixel(const mt_Picture *p, const mt_Terminal *t, mt_Str *out,
                        mt_Error *err) {
  (void)t;
  const mt_PictureModule *m = mt_picture_module_load(err);
  if (m == NULL) return MT_FAIL;
  if (m->write_sixel == NULL)
    return mt_picture_lacks("sixels need libsixel", "libsixel-dev", "libsixel",
                            err);
  mt_Status status = m->write_sixel(p, out, err);
  if (status == MT_OK) mt_str_add(out, "\n");
  return status;
}
