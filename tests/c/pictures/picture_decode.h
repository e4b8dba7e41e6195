/*
** picture_decode.h - what a terminal does with the bytes that a picture was
** encoded to: back to pixels, so that suites compare these.
**
** Written from the terminals' descriptions, not from the encoders. A mistake in
** the bytes fails the test.
*/
#ifndef PICTURE_DECODE_H
#define PICTURE_DECODE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/str.h"

enum { SCREEN = 512 };

/* The pixels that were drawn: 0xrrggbb, -1 where nothing was. */
typedef struct Canvas {
  long at[SCREEN][SCREEN]; /* [y][x] */
  unsigned width, height;
} Canvas;

static inline void canvas_clear(Canvas *c) {
  c->width = c->height = 0;
  for (unsigned y = 0; y < SCREEN; y++)
    for (unsigned x = 0; x < SCREEN; x++) c->at[y][x] = -1;
}

static inline void canvas_put(Canvas *c, unsigned x, unsigned y, long colour) {
  if (x >= SCREEN || y >= SCREEN) fail_msg("a pixel at %u, %u", x, y);
  c->at[y][x] = colour;
  if (x >= c->width) c->width = x + 1;
  if (y >= c->height) c->height = y + 1;
}

/* xterm's palette, 16 to 255 */
static inline long palette_colour(long i) {
  static const long steps[6] = {0, 95, 135, 175, 215, 255};
  if (i < 16 || i > 255) fail_msg("colour %ld of the palette", i);
  if (i >= 232) return (8 + 10 * (i - 232)) * 0x010101;
  i -= 16;
  return steps[i / 36] << 16 | steps[i / 6 % 6] << 8 | steps[i % 6];
}

/* One SGR sequence at 's' (after "ESC ["); returns what follows its 'm'. */
static inline const char *read_sgr(const char *s, long *front, long *back) {
  long v[8] = {0};
  int n = 0;
  for (char *end; n < 8; s = end + 1) {
    v[n++] = strtol(s, &end, 10);
    if (*end == 'm') { s = end + 1; break; }
    if (*end != ';') fail_msg("an escape sequence with '%c' in it", *end);
  }
  long *which = v[0] / 10 == 4 ? back : front;
  if (n == 1 && v[0] == 0) *front = *back = -1;
  else if (n == 1 && v[0] % 10 == 9) *which = -1;
  else if (n == 5 && v[0] % 10 == 8 && v[1] == 2)
    *which = v[2] << 16 | v[3] << 8 | v[4];
  else if (n == 3 && v[0] % 10 == 8 && v[1] == 5) *which = palette_colour(v[2]);
  else fail_msg("an escape sequence that is not known");
  return s;
}

/* Half blocks. Every line must end in the terminal's own colours. */
static inline void decode_blocks(const char *s, Canvas *c) {
  long front = -1, back = -1;
  unsigned x = 0, y = 0;
  canvas_clear(c);
  while (*s) {
    if (*s == '\n') {
      if (front != -1 || back != -1) fail_msg("a line ends with a colour set");
      x = 0, y += 2, s++;
    } else if (s[0] == '\033' && s[1] == '[') {
      s = read_sgr(s + 2, &front, &back);
    } else if (*s == ' ' || strncmp(s, "▀", 3) == 0) {
      long above = *s == ' ' ? back : front;
      if (above >= 0) canvas_put(c, x, y, above);
      if (back >= 0) canvas_put(c, x, y + 1, back);
      x++, s += *s == ' ' ? 1 : 3;
    } else {
      fail_msg("byte 0x%02x in half blocks", (unsigned char)*s);
    }
  }
}

/* The bytes of base64 up to the first other character, where '*s' is left. */
static inline void decode_base64(const char **s, mt_Str *out) {
  static const char digits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint32_t v = 0;
  int have = 0, pad = 0;
  for (; **s; (*s)++) {
    const char *d = strchr(digits, **s);
    if (**s == '=') pad++, v <<= 6;
    else if (d && !pad) v = v << 6 | (uint32_t)(d - digits);
    else break;
    if (++have % 4 == 0) {
      char three[3] = {(char)(v >> 16), (char)(v >> 8), (char)v};
      mt_str_add_bytes(out, three, (size_t)(3 - pad));
      v = 0;
    }
  }
  if (have % 4) fail_msg("base64 of %d digits", have);
}

/* kitty's sequences: the controls of the first, the payload of all. Returns
** what follows the last. */
static inline const char *decode_kitty(const char *s, mt_Str *controls,
                                       mt_Str *payload) {
  for (int more = 1; more;) {
    if (strncmp(s, "\033_G", 3) != 0) fail_msg("no sequence of kitty's");
    const char *semicolon = strchr(s, ';'), *m = strstr(s, "m=");
    if (!semicolon || !m || m > semicolon) fail_msg("a sequence without m=");
    if (controls->length == 0)
      mt_str_add_bytes(controls, s + 3, (size_t)(semicolon - s - 3));
    more = m[2] == '1';
    s = semicolon + 1;
    const char *begin = s;
    decode_base64(&s, payload);
    if (s - begin > 4096) fail_msg("a payload of %ld bytes", (long)(s - begin));
    if (strncmp(s, "\033\\", 2) != 0) fail_msg("a sequence without its end");
    s += 2;
  }
  return s;
}

/* Sixels. Colours are in percent: compare with a tolerance of two. */
static inline void decode_sixel(const char *s, Canvas *c) {
  static long palette[256];
  long colour = 0, repeat = 1;
  unsigned x = 0, y = 0;
  char *end;
  canvas_clear(c);
  if (strncmp(s, "\033P", 2) != 0 || !(s = strchr(s, 'q')))
    fail_msg("no sixels");
  for (s++; *s && *s != '\033'; s++) {
    if (*s == '"') {
      for (int i = 0; i < 4; i++)
        strtol(s + 1, &end, 10), s = *end == ';' ? end : end - 1;
    } else if (*s == '#') {
      colour = strtol(s + 1, &end, 10);
      if (colour < 0 || colour > 255) fail_msg("colour register %ld", colour);
      if (*end == ';') {
        long v[4];
        for (int i = 0; i < 4; i++) v[i] = strtol(end + 1, &end, 10);
        if (v[0] != 2) fail_msg("colours that are not RGB");
        palette[colour] = (v[1] * 255 + 50) / 100 << 16 |
                          (v[2] * 255 + 50) / 100 << 8 |
                          (v[3] * 255 + 50) / 100;
      }
      s = end - 1;
    } else if (*s == '!') {
      repeat = strtol(s + 1, &end, 10);
      s = end - 1;
    } else if (*s == '$') {
      x = 0;
    } else if (*s == '-') {
      x = 0, y += 6;
    } else if (*s >= '?' && *s <= '~') {
      for (; repeat > 0; repeat--, x++)
        for (unsigned bit = 0; bit < 6; bit++)
          if ((*s - '?') >> bit & 1) canvas_put(c, x, y + bit, palette[colour]);
      repeat = 1;
    } else if (*s != '\n' && *s != '\r') {
      fail_msg("byte 0x%02x in sixels", (unsigned char)*s);
    }
  }
  if (strncmp(s, "\033\\", 2) != 0) fail_msg("sixels without their end");
}

#endif
