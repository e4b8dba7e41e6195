/*
** test_animation.c - pictures/animation.h, pictures/palette.h: animations are
** decoded again, frame by frame. The decoder of GIF is written here, from the
** format's description; frames of an APNG are made PNG files of their own.
**
** Guards: pictures/animation.c, pictures/palette.c, pictures/module/gif.c: GIF
** and APNG files decoded again, frame by frame, by a decoder of the test's own;
** lua/bind/screen/animation.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/files/file.h"
#include "pictures/animation.h"
#include "pictures/palette.h"
#include "tests/c/find_module.h"
#include "tests/c/skip.h"

#define NO_PNG "this build has no library for such files"

enum { W = 37, H = 23, N = W * H, FRAMES = 5, MOST = 64 };

typedef struct Film {
  uint8_t frame[MOST][N * 4]; /* as a viewer shows them */
  unsigned delay[MOST];       /* hundredths of a second */
  unsigned area[MOST];        /* pixels that were stored */
  unsigned count;
  bool loops;
} Film;
static Film film;

/* --------------------------------------------------------------------- GIF */

typedef struct Bytes {
  const uint8_t *at, *end;
} Bytes;

static unsigned byte(Bytes *b) {
  assert_true(b->at < b->end);
  return *b->at++;
}
static unsigned word(Bytes *b) {
  unsigned low = byte(b);
  return low | byte(b) << 8;
}

/* The bytes of blocks, up to the empty one. */
static size_t blocks(Bytes *b, uint8_t *to, size_t most) {
  size_t n = 0;
  for (unsigned k; (k = byte(b)) > 0; n += k)
    for (unsigned i = 0; i < k; i++) {
      assert_true(n + i < most);
      to[n + i] = (uint8_t)byte(b);
    }
  return n;
}

/* LZW with codes of growing width; 'count' indices. */
static void unpack(const uint8_t *from, size_t n, unsigned bits, uint8_t *out,
                   size_t count) {
  static uint16_t prefix[4096];
  static uint8_t last[4096], first[4096];
  unsigned clear = 1u << bits, next = clear + 2, width = bits + 1, old = 4096;
  uint32_t buffer = 0;
  unsigned have = 0;
  size_t at = 0, done = 0;
  for (unsigned i = 0; i < clear; i++) last[i] = first[i] = (uint8_t)i;
  for (;;) {
    while (have < width) {
      assert_true(at < n);
      buffer |= (uint32_t)from[at++] << have;
      have += 8;
    }
    unsigned code = buffer & ((1u << width) - 1);
    buffer >>= width;
    have -= width;
    if (code == clear) {
      next = clear + 2, width = bits + 1, old = 4096;
      continue;
    }
    if (code == clear + 1) break;
    assert_true(code <= next && (code < next || old < 4096));
    if (old < 4096 && next < 4096) {
      prefix[next] = (uint16_t)old;
      first[next] = first[old];
      last[next] = code < next ? first[code] : first[old];
      next++;
      if (next == 1u << width && width < 12) width++;
    }
    uint8_t stack[4096];
    unsigned k = 0;
    for (unsigned c = code;; c = prefix[c]) {
      stack[k++] = last[c];
      if (c < clear) break;
    }
    while (k > 0) {
      assert_true(done < count);
      out[done++] = stack[--k];
    }
    old = code;
  }
  assert_int_equal(done, count);
}

static void draw_gif(Bytes *b, int transparent, unsigned delay) {
  static uint8_t packed[1 << 20], indices[N];
  unsigned x = word(b), y = word(b), w = word(b), h = word(b), flags = byte(b);
  assert_true(x + w <= W && y + h <= H && w > 0 && h > 0);
  assert_true(flags & 0x80); /* a map of its own */
  unsigned colours = 2u << (flags & 7);
  const uint8_t *map = b->at;
  b->at += 3 * colours;
  unsigned bits = byte(b);
  size_t n = blocks(b, packed, sizeof packed);
  unpack(packed, n, bits, indices, (size_t)w * h);
  assert_true(film.count < MOST);
  uint8_t *to = film.frame[film.count];
  if (film.count) memcpy(to, film.frame[film.count - 1], N * 4);
  for (unsigned i = 0; i < w * h; i++) {
    if (indices[i] == transparent) continue;
    assert_true(indices[i] < colours);
    uint8_t *px = to + ((y + i / w) * W + x + i % w) * 4;
    memcpy(px, map + 3 * indices[i], 3);
    px[3] = 255;
  }
  film.area[film.count] = w * h;
  film.delay[film.count++] = delay;
}

static void decode_gif(const mt_Str *file) {
  Bytes b = {(const uint8_t *)file->text,
             (const uint8_t *)file->text + file->length};
  int transparent = -1;
  unsigned delay = 0;
  uint8_t text[1024];
  memset(&film, 0, sizeof film);
  assert_memory_equal(b.at, "GIF89a", 6);
  b.at += 6;
  assert_int_equal(word(&b), W);
  assert_int_equal(word(&b), H);
  assert_false(byte(&b) & 0x80); /* no map for all */
  b.at += 2;
  for (unsigned what; (what = byte(&b)) != 0x3b;) {
    if (what == 0x2c) {
      draw_gif(&b, transparent, delay);
      continue;
    }
    assert_int_equal(what, 0x21);
    unsigned kind = byte(&b);
    size_t n = blocks(&b, text, sizeof text);
    if (kind == 0xf9) {
      assert_int_equal(n, 4);
      assert_int_equal(text[0] >> 2 & 7, 1); /* what is there stays */
      delay = text[1] | (unsigned)text[2] << 8;
      transparent = text[0] & 1 ? text[3] : -1;
    } else if (kind == 0xff) {
      film.loops = n == 14 && memcmp(text, "NETSCAPE2.0\1\0\0", 14) == 0;
    }
  }
  assert_ptr_equal(b.at, b.end);
}

/* -------------------------------------------------------------------- APNG */

static uint32_t long_at(const uint8_t *p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
         p[3];
}

static uint32_t crc(const uint8_t *p, size_t n) {
  uint32_t c = 0xffffffffu;
  for (size_t i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
  }
  return ~c;
}

static void put_chunk(mt_Str *out, const char *type, const uint8_t *data,
                      size_t n) {
  mt_Str c = MT_STR_INIT;
  uint8_t four[4];
  mt_str_add_bytes(&c, type, 4);
  if (n) mt_str_add_bytes(&c, (const char *)data, n);
  for (int i = 0; i < 4; i++) four[i] = (uint8_t)(n >> (24 - 8 * i));
  mt_str_add_bytes(out, (const char *)four, 4);
  mt_str_add_bytes(out, c.text, c.length);
  uint32_t sum = crc((const uint8_t *)c.text, c.length);
  for (int i = 0; i < 4; i++) four[i] = (uint8_t)(sum >> (24 - 8 * i));
  mt_str_add_bytes(out, (const char *)four, 4);
  mt_str_free(&c);
}

/* The picture of one frame: its own size, and the data of all its chunks. */
static void draw_apng(const uint8_t *header, const uint8_t *control,
                      mt_Str *data) {
  mt_Str png = MT_STR_INIT;
  mt_Picture p;
  mt_Error err;
  uint8_t own[13];
  unsigned w = long_at(control + 4), h = long_at(control + 8),
           x = long_at(control + 12), y = long_at(control + 16);
  assert_true(x + w <= W && y + h <= H);
  memcpy(own, header, 13);
  memcpy(own, control + 4, 8);
  mt_str_add_bytes(&png, "\x89PNG\r\n\x1a\n", 8);
  put_chunk(&png, "IHDR", own, 13);
  put_chunk(&png, "IDAT", (const uint8_t *)data->text, data->length);
  put_chunk(&png, "IEND", NULL, 0);
  if (mt_picture_decode(png.text, png.length, "a frame", &p, &err) != MT_OK)
    fail_msg("%s", err.text);
  assert_true(film.count < MOST);
  uint8_t *to = film.frame[film.count];
  if (film.count) memcpy(to, film.frame[film.count - 1], N * 4);
  for (unsigned i = 0; i < h; i++)
    memcpy(to + ((y + i) * W + x) * 4, p.rgba + (size_t)i * w * 4, w * 4);
  unsigned num = control[20] << 8 | control[21],
           den = control[22] << 8 | control[23];
  film.area[film.count] = w * h;
  film.delay[film.count++] = num * 100 / den;
  mt_picture_free(&p);
  mt_str_free(&png);
  mt_str_clear(data);
}

static void decode_apng(const mt_Str *file) {
  const uint8_t *at = (const uint8_t *)file->text, *end = at + file->length,
                *header = NULL, *control = NULL;
  mt_Str data = MT_STR_INIT;
  uint32_t sequence = 0, frames = 0;
  memset(&film, 0, sizeof film);
  assert_memory_equal(at, "\x89PNG\r\n\x1a\n", 8);
  for (at += 8; at < end;) {
    uint32_t n = long_at(at);
    const uint8_t *d = at + 8;
    assert_true((size_t)(end - at) >= n + 12);
    assert_int_equal(long_at(d + n), crc(at + 4, n + 4));
    if (memcmp(at + 4, "IHDR", 4) == 0) header = d;
    if (memcmp(at + 4, "acTL", 4) == 0) {
      assert_null(control); /* before the first picture */
      frames = long_at(d);
      film.loops = long_at(d + 4) == 0;
    }
    if (memcmp(at + 4, "fcTL", 4) == 0) {
      if (control) draw_apng(header, control, &data);
      assert_int_equal(long_at(d), sequence++);
      control = d;
    }
    if (memcmp(at + 4, "IDAT", 4) == 0)
      mt_str_add_bytes(&data, (const char *)d, n);
    if (memcmp(at + 4, "fdAT", 4) == 0) {
      assert_int_equal(long_at(d), sequence++);
      mt_str_add_bytes(&data, (const char *)d + 4, n - 4);
    }
    at = d + n + 4;
  }
  draw_apng(header, control, &data);
  assert_int_equal(film.count, frames);
  mt_str_free(&data);
}

/* ------------------------------------------------------------------- films */

/* Frame 'n': few colours, a square that moves; or many, all different. */
static void make(uint8_t *rgba, unsigned n, bool many) {
  for (unsigned i = 0; i < N; i++) {
    unsigned x = i % W, y = i / W;
    bool square = x >= 2 * n && x < 2 * n + 4 && y >= n + 3 && y < n + 7;
    uint8_t few[4] = {square ? 250 : 10, square ? 20 : (uint8_t)(x / 8 * 30),
                      40, 255};
    uint8_t all[4] = {(uint8_t)(x * 6 + n), (uint8_t)(y * 11),
                      (uint8_t)((x * y + 7 * n) & 255), 255};
    memcpy(rgba + 4 * i, many ? all : few, 4);
  }
}

static bool record(mt_AnimationKind kind, double fps, unsigned frames,
                   bool many, mt_Str *file) {
  mt_Animation *a;
  mt_Error err;
  static uint8_t rgba[N * 4];
  if (mt_animation_new(kind, W, H, fps, &a, &err) != MT_OK) {
    assert_null(a);
    /* a build without the library */
    if (strstr(err.text, "need")) return false;
    fail_msg("%s", err.text);
  }
  for (unsigned n = 0; n < frames; n++) {
    make(rgba, n, many);
    if (mt_animation_add(a, rgba, &err) == MT_OK) continue;
    if (n > 0 || !strstr(err.text, "need")) fail_msg("%s", err.text);
    mt_animation_free(a);
    return false;
  }
  if (mt_animation_finish(a, file, &err) != MT_OK) fail_msg("%s", err.text);
  mt_animation_free(a);
  return true;
}

static void exact(mt_AnimationKind kind) {
  mt_Str file = MT_STR_INIT;
  static uint8_t rgba[N * 4];
  if (!record(kind, 25, FRAMES, false, &file))
    skip_because(NO_PNG);
  if (kind == MT_ANIMATION_GIF) decode_gif(&file);
  else decode_apng(&file);
  assert_int_equal(film.count, FRAMES);
  assert_true(film.loops);
  for (unsigned n = 0; n < FRAMES; n++) {
    make(rgba, n, false);
    assert_memory_equal(film.frame[n], rgba, N * 4);
    assert_int_equal(film.delay[n], 4);
    /* where the square was and is */
    if (n) assert_true(film.area[n] >= 1 && film.area[n] <= 6 * 5);
  }
  mt_str_free(&file);
}

static void few_colours_gif(void **state) {
  (void)state;
  exact(MT_ANIMATION_GIF);
}
static void few_colours_apng(void **state) {
  (void)state;
  exact(MT_ANIMATION_APNG);
}

static void many_colours_gif(void **state) {
  (void)state;
  mt_Str file = MT_STR_INIT;
  static uint8_t rgba[N * 4];
  if (!record(MT_ANIMATION_GIF, 50, 3, true, &file))
    skip_because(NO_PNG);
  decode_gif(&file);
  assert_int_equal(film.count, 3);
  for (unsigned n = 0; n < 3; n++) {
    uint64_t error = 0;
    make(rgba, n, true);
    for (unsigned i = 0; i < N; i++)
      for (unsigned c = 0; c < 3; c++) {
        int d = (int)rgba[4 * i + c] - film.frame[n][4 * i + c];
        error += (uint64_t)(d * d);
      }
    assert_true(error < (uint64_t)N * 3 * 100); /* ten of 255, in the mean */
    assert_int_equal(film.delay[n], 2);
  }
  mt_str_free(&file);
}

static void many_colours_apng(void **state) {
  (void)state;
  mt_Str file = MT_STR_INIT;
  static uint8_t rgba[N * 4];
  if (!record(MT_ANIMATION_APNG, 29.97, 4, true, &file))
    skip_because(NO_PNG);
  decode_apng(&file);
  for (unsigned n = 0; n < 4; n++) {
    make(rgba, n, true);
    assert_memory_equal(film.frame[n], rgba, N * 4);
    assert_int_equal(film.delay[n], 3);
  }
  mt_str_free(&file);
}

/* 30 a second: three, three, four hundredths. */
static void times_add_up(void **state) {
  (void)state;
  mt_Str file = MT_STR_INIT;
  unsigned sum = 0;
  if (!record(MT_ANIMATION_GIF, 30, 30, false, &file))
    skip_because(NO_PNG);
  decode_gif(&file);
  for (unsigned n = 0; n < film.count; n++) {
    assert_true(film.delay[n] == 3 || film.delay[n] == 4);
    sum += film.delay[n];
  }
  assert_int_equal(sum, 100);
  mt_str_free(&file);
}

/* A frame like the one before takes next to nothing. */
static void still(void **state) {
  (void)state;
  for (mt_AnimationKind kind = MT_ANIMATION_GIF; kind <= MT_ANIMATION_APNG;
       kind++) {
    mt_Animation *a;
    mt_Error err;
    mt_Str file = MT_STR_INIT;
    static uint8_t rgba[N * 4];
    if (mt_animation_new(kind, W, H, 25, &a, &err) != MT_OK)
      skip_because(NO_PNG);
    make(rgba, 0, true);
    if (mt_animation_add(a, rgba, &err) != MT_OK) skip_because(NO_PNG);
    for (int i = 1; i < 3; i++)
      assert_int_equal(mt_animation_add(a, rgba, &err), MT_OK);
    assert_int_equal(mt_animation_finish(a, &file, &err), MT_OK);
    if (kind == MT_ANIMATION_GIF) decode_gif(&file);
    else decode_apng(&file);
    assert_int_equal(film.count, 3);
    assert_int_equal(film.area[1], 1);
    assert_memory_equal(film.frame[2], film.frame[0], N * 4);
    mt_animation_free(a);
    mt_str_free(&file);
  }
}

static void refusals(void **state) {
  (void)state;
  mt_Animation *a;
  mt_Error err;
  mt_Str file = MT_STR_INIT;
  mt_AnimationKind kind;
  assert_true(mt_animation_kind("a.b/x.gif", &kind) &&
              kind == MT_ANIMATION_GIF);
  assert_true(mt_animation_kind("x.apng", &kind) && kind == MT_ANIMATION_APNG);
  assert_true(mt_animation_kind("x.png", &kind) && kind == MT_ANIMATION_APNG);
  assert_false(mt_animation_kind("x.mp4", &kind) ||
               mt_animation_kind("gif", &kind));
  assert_int_equal(mt_animation_new(MT_ANIMATION_APNG, 0, 4, 25, &a, &err),
                   MT_FAIL);
  assert_int_equal(mt_animation_new(MT_ANIMATION_APNG, 4, 4, 25, &a, &err),
                   MT_OK);
  assert_int_equal(mt_animation_finish(a, &file, &err), MT_BADARG);
  mt_animation_free(a);
  mt_animation_free(NULL);
  if (mt_animation_new(MT_ANIMATION_GIF, 4, 4, 25, &a, &err) != MT_OK)
    skip_because(NO_PNG);
  mt_animation_free(a); /* not finished */
  assert_int_equal(mt_animation_new(MT_ANIMATION_GIF, 4, 4, 60, &a, &err),
                   MT_BADARG);
  assert_non_null(strstr(err.text, "at most 50 frames a second"));
}

/* Every colour of the palette stands for pixels near it. */
static void palettes(void **state) {
  (void)state;
  enum { MANY = 20000 };
  static uint8_t rgba[MANY * 4], indices[MANY];
  static bool used[MANY];
  uint8_t palette[MT_PALETTE_MOST][3];
  unsigned colours;
  uint32_t random = 1;
  for (int i = 0; i < MANY * 4; i++)
    rgba[i] = (uint8_t)((random = random * 1664525u + 1013904223u) >> 24);
  for (int i = 0; i < MANY; i++) used[i] = i % 3 != 0;
  memset(indices, 255, sizeof indices);
  assert_int_equal(
      mt_palette_make(rgba, used, MANY, palette, &colours, indices, NULL),
      MT_OK);
  assert_int_equal(colours, MT_PALETTE_MOST);
  for (int i = 0; i < MANY; i++) {
    if (!used[i]) {
      assert_int_equal(indices[i], 255);
      continue;
    }
    assert_true(indices[i] < colours);
    for (int c = 0; c < 3; c++)
      assert_true(abs(rgba[4 * i + c] - palette[indices[i]][c]) <= 80);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(few_colours_gif),  cmocka_unit_test(few_colours_apng),
      cmocka_unit_test(many_colours_gif), cmocka_unit_test(many_colours_apng),
      cmocka_unit_test(times_add_up),     cmocka_unit_test(still),
      cmocka_unit_test(refusals),         cmocka_unit_test(palettes)};
  return cmocka_run_group_tests_name("animation", tests, find_module, NULL);
}
