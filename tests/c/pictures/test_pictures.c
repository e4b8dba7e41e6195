/*
** test_pictures.c - pictures/: colour maps, sizes, fields, PNG both ways, and
** every protocol decoded back to pixels, as the terminal would.
**
** Guards: pictures/: colour maps, sizes, PNG both ways; every protocol decoded
** back to pixels (tests/c/pictures/picture_decode.h); pictures/{blocks,
** colours, escapes, picture, show}.c, pictures/module/{module, png, sixel}.c
*/
#include "tests/c/pictures/picture_decode.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/files/file.h"
#include "pictures/picture.h"
#include "tests/c/find_module.h"
#include "tests/c/skip.h"

static uint32_t seed = 1;
static unsigned roll(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

static void ok(mt_Status status, const mt_Error *err) {
  if (status != MT_OK) fail_msg("%s", err->text);
}

static mt_Picture noise(unsigned w, unsigned h, unsigned bits,
                        unsigned channels) {
  mt_Picture p;
  mt_Error err;
  ok(mt_picture_new(w, h, bits, &p, &err), &err);
  p.channels = channels;
  for (size_t i = 0; i < (size_t)w * h; i++) {
    unsigned v[4] = {roll(65536), roll(65536), roll(65536), roll(65536)};
    if (channels < 3) v[1] = v[2] = v[0];
    if (channels % 2) v[3] = 65535;
    for (int c = 0; c < 4; c++)
      if (bits == 16) ((uint16_t *)(void *)p.rgba)[4 * i + c] = (uint16_t)v[c];
      else p.rgba[4 * i + c] = (uint8_t)(v[c] >> 8);
  }
  return p;
}

static long rgb_at(const mt_Picture *p, unsigned x, unsigned y) {
  const uint8_t *px = p->rgba + ((size_t)y * p->width + x) * 4;
  return (long)px[0] << 16 | px[1] << 8 | px[2];
}

/* ----------------------------------------------------------------- colours */

/* CIE L* of an sRGB colour, 0 to 100 */
static double lightness(const uint8_t c[3]) {
  double v[3];
  for (int i = 0; i < 3; i++) {
    double s = c[i] / 255.0;
    v[i] = s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
  }
  double y = 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
  return y > 0.008856 ? 116 * cbrt(y) - 16 : 903.3 * y;
}

/* Lightness only rises, in even steps, from dark to light. */
static void check_rise(const uint8_t (*map)[3], int from, int to,
                       double least) {
  int step = from < to ? 1 : -1;
  for (int i = from; i != to; i += step) {
    double d = lightness(map[i + step]) - lightness(map[i]);
    if (d < -0.45 || d > 2) fail_msg("lightness goes by %g at %d", d, i);
  }
  for (int i = from; i + 8 * step != to + step && abs(i - to) >= 8; i += step)
    if (lightness(map[i + 8 * step]) <= lightness(map[i]))
      fail_msg("lightness falls after %d", i);
  if (lightness(map[to]) - lightness(map[from]) < least)
    fail_msg("the map has little contrast");
}

static void test_maps(void **state) {
  (void)state;
  check_rise(mt_map_colours(MT_MAP_GREY), 0, 255, 99);
  check_rise(mt_map_colours(MT_MAP_VIRIDIS), 0, 255, 70);
  check_rise(mt_map_colours(MT_MAP_DIVERGING), 0, 127, 50);
  check_rise(mt_map_colours(MT_MAP_DIVERGING), 255, 128, 50);
  const uint8_t (*v)[3] = mt_map_colours(MT_MAP_VIRIDIS),
                (*d)[3] = mt_map_colours(MT_MAP_DIVERGING);
  /* violet */
  assert_true(v[0][2] > v[0][1] && v[0][0] > v[0][1]);
  /* green */
  assert_true(v[150][1] > v[150][0] && v[150][1] > v[150][2]);
  /* yellow */
  assert_true(v[255][0] > 200 && v[255][1] > 200 && v[255][2] < 120);
  /* blue, red */
  assert_true(d[0][2] > d[0][0] + 80 && d[255][0] > d[255][2] + 80);
  assert_true(fabs(lightness(d[0]) - lightness(d[255])) < 6);
  assert_true(d[127][0] > 235 && d[127][1] > 235 && d[127][2] > 235);
}

static void test_fields(void **state) {
  (void)state;
  float f[6] = {-1, 0, 1, NAN, INFINITY, -INFINITY};
  uint16_t u[4] = {0, 1, 32768, 65535};
  mt_NumberField
      field = {.numbers = f, .scalar = MT_FLOAT, .width = 3, .height = 2},
      wide = {.numbers = u, .scalar = MT_USHORT, .width = 4, .height = 1};
  mt_Picture p;
  mt_Error err;
  double low, high;
  assert_true(mt_field_range(&field, &low, &high) && low == -1 && high == 1);
  ok(mt_field_picture(&field, MT_MAP_GREY, low, high, 8, &p, &err), &err);
  assert_int_equal(rgb_at(&p, 0, 0), 0);
  assert_int_equal(rgb_at(&p, 1, 0), 0x808080);
  assert_int_equal(rgb_at(&p, 2, 0), 0xffffff);
  assert_int_equal(rgb_at(&p, 0, 1), 0xff00ff); /* nan */
  assert_int_equal(rgb_at(&p, 1, 1), 0xffffff);
  assert_int_equal(rgb_at(&p, 2, 1), 0);
  assert_int_equal(p.channels, 3); /* magenta is no grey */
  mt_picture_free(&p);
  ok(mt_field_picture(&wide, MT_MAP_GREY, 0, 65535, 16, &p, &err), &err);
  for (int i = 0; i < 4; i++)
    assert_int_equal(((uint16_t *)(void *)p.rgba)[4 * i], u[i]);
  assert_int_equal(p.channels, 1);
  mt_picture_free(&p);
  float same[2] = {7, 7}, none[2] = {NAN, INFINITY}, huge[2] = {-3e38f, 3e38f};
  mt_NumberField
      flat = {.numbers = same, .scalar = MT_FLOAT, .width = 2, .height = 1},
      empty = {.numbers = none, .scalar = MT_FLOAT, .width = 2, .height = 1},
      far = {.numbers = huge, .scalar = MT_FLOAT, .width = 2, .height = 1};
  assert_true(mt_field_range(&flat, &low, &high) && low == 7 && high == 7);
  ok(mt_field_picture(&flat, MT_MAP_VIRIDIS, low, high, 8, &p, &err), &err);
  mt_picture_free(&p);
  assert_false(mt_field_range(&empty, &low, &high));
  assert_true(mt_field_range(&far, &low, &high));
  ok(mt_field_picture(&far, MT_MAP_GREY, low, high, 8, &p, &err), &err);
  assert_int_equal(rgb_at(&p, 0, 0), 0);
  assert_int_equal(rgb_at(&p, 1, 0), 0xffffff);
  mt_picture_free(&p);
}

/* Numbers that are colours: float4 in any order, two, three with a gap. */
static void test_colours(void **state) {
  (void)state;
  float f[8] = {0, 0.5f, 1, 1, -3, 7, NAN, 0.25f};
  uint8_t u[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  mt_NumberField four = {
      .numbers = f, .scalar = MT_FLOAT, .width = 2, .height = 1, .channels = 4};
  mt_NumberField blue = four, two = four, gap = four, bytes = four;
  mt_Picture p;
  mt_Error err;
  ok(mt_field_picture(&four, MT_MAPS, 0, 1, 8, &p, &err), &err);
  assert_memory_equal(p.rgba,
                      ((uint8_t[8]){0, 128, 255, 255, 255, 0, 255, 255}), 8);
  mt_picture_free(&p);
  blue.blue_first = true;
  ok(mt_field_picture(&blue, MT_MAPS, 0, 1, 16, &p, &err), &err);
  assert_memory_equal(p.rgba, ((uint16_t[4]){65535, 32768, 0, 65535}), 8);
  mt_picture_free(&p);
  two.channels = 2;
  ok(mt_field_picture(&two, MT_MAPS, 0, 1, 8, &p, &err), &err);
  assert_memory_equal(p.rgba, ((uint8_t[8]){0, 0, 0, 128, 255, 255, 255, 255}),
                      8);
  mt_picture_free(&p);
  gap.channels = 3, gap.step = 4;
  double low, high;
  f[6] = 1;
  assert_true(mt_field_range(&gap, &low, &high) && low == -3 && high == 7);
  ok(mt_field_picture(&gap, MT_MAPS, 0, 1, 8, &p, &err), &err);
  assert_memory_equal(p.rgba,
                      ((uint8_t[8]){0, 128, 255, 255, 0, 255, 255, 255}), 8);
  mt_picture_free(&p);
  bytes.numbers = u, bytes.scalar = MT_UCHAR;
  ok(mt_field_picture(&bytes, MT_MAPS, 0, 255, 8, &p, &err), &err);
  assert_memory_equal(p.rgba, u, 8);
  mt_picture_free(&p);
}

/* ------------------------------------------------------------------- sizes */

/* The mean over the covered area, with areas in doubles. */
static void box_pixel(const mt_Picture *p, unsigned w, unsigned h, unsigned x,
                      unsigned y, double out[4]) {
  double x0 = (double)x * p->width / w, x1 = (x + 1.0) * p->width / w,
         sums[4] = {0}, whole = 0;
  double y0 = (double)y * p->height / h, y1 = (y + 1.0) * p->height / h;
  for (unsigned j = (unsigned)y0; j < p->height && j < y1; j++)
    for (unsigned i = (unsigned)x0; i < p->width && i < x1; i++) {
      double area =
          (fmin(x1, i + 1.0) - fmax(x0, i)) * (fmin(y1, j + 1.0) - fmax(y0, j));
      const uint8_t *px = p->rgba + ((size_t)j * p->width + i) * 4;
      for (int c = 0; c < 3; c++) sums[c] += area * px[3] * px[c];
      sums[3] += area * px[3];
      whole += area;
    }
  for (int c = 0; c < 3; c++) out[c] = sums[3] > 0 ? sums[c] / sums[3] : 0;
  out[3] = sums[3] / whole;
}

static void check_box(mt_Picture p, unsigned w, unsigned h) {
  mt_Picture q;
  mt_Error err;
  ok(mt_picture_resize(&p, w, h, &q, &err), &err);
  assert_true(q.width == w && q.height == h && q.channels == p.channels);
  for (unsigned y = 0; y < h; y++)
    for (unsigned x = 0; x < w; x++) {
      double want[4];
      box_pixel(&p, w, h, x, y, want);
      for (int c = 0; c < 4; c++) {
        double got = q.rgba[((size_t)y * w + x) * 4 + c];
        if (fabs(got - want[c]) > 1)
          fail_msg("%u×%u to %u×%u: %g is not %g", p.width, p.height, w, h, got,
                   want[c]);
      }
    }
  mt_picture_free(&q);
  mt_picture_free(&p);
}

static void test_resize(void **state) {
  (void)state;
  mt_Picture p, q;
  mt_Error err;
  check_box(noise(37, 23, 8, 4), 11, 7);
  check_box(noise(64, 64, 8, 3), 32, 16);
  check_box(noise(50, 9, 8, 4), 49, 1);
  check_box(noise(300, 2, 8, 1), 1, 2);
  p = noise(3, 2, 8, 4);
  ok(mt_picture_resize(&p, 12, 6, &q, &err), &err);
  for (unsigned y = 0; y < 6; y++)
    for (unsigned x = 0; x < 12; x++)
      assert_int_equal(rgb_at(&q, x, y), rgb_at(&p, x / 4, y / 3));
  mt_picture_free(&q);
  ok(mt_picture_resize(&p, 3, 2, &q, &err), &err);
  assert_memory_equal(q.rgba + 3, p.rgba + 3, 1);
  mt_picture_free(&q);
  ok(mt_picture_resize(&p, 6, 1, &q, &err), &err); /* wider and lower */
  assert_true(q.width == 6 && q.height == 1);
  mt_picture_free(&q);
  mt_picture_free(&p);
  assert_int_equal(mt_picture_new(0, 5, 8, &p, &err), MT_FAIL);
  assert_int_equal(mt_picture_new(100000, 100000, 8, &p, &err), MT_FAIL);
  assert_non_null(strstr(err.text, "too many"));
  p = noise(5, 4, 16, 4);
  uint16_t wide[80];
  memcpy(wide, p.rgba, sizeof wide);
  mt_picture_narrow(&p);
  for (int i = 0; i < 80; i++)
    assert_int_equal(p.rgba[i], (int)floor(wide[i] / 257.0 + 0.5));
  mt_picture_free(&p);
}

static void check_fit(mt_Terminal t, unsigned w, unsigned h, unsigned want_w,
                      unsigned want_h) {
  mt_Picture p = {.width = w, .height = h, .bits = 8};
  unsigned got_w, got_h;
  mt_picture_fit(&p, &t, &got_w, &got_h);
  if (got_w != want_w || got_h != want_h)
    fail_msg("%u×%u is shown with %u×%u pixels, not %u×%u", w, h, got_w, got_h,
             want_w, want_h);
}

static void test_fit(void **state) {
  (void)state;
  mt_Terminal blocks = {.way = MT_SHOW_BLOCKS,
                        .columns = 80,
                        .rows = 24,
                        .cell_width = 10,
                        .cell_height = 20};
  mt_Terminal kitty = blocks, tiny = blocks;
  kitty.way = MT_SHOW_KITTY;
  tiny.columns = tiny.rows = 1;
  check_fit(blocks, 1024, 1024, 44, 44);
  check_fit(blocks, 4000, 10, 79, 1);
  check_fit(blocks, 10, 4000, 1, 44);
  check_fit(blocks, 16, 16, 32, 32);
  check_fit(blocks, 60, 44, 60, 44);
  check_fit(kitty, 1024, 1024, 440, 440);
  check_fit(kitty, 400, 300, 400, 300);
  check_fit(kitty, 8, 8, 320, 320);
  check_fit(kitty, 3, 1, 318, 106);
  check_fit(tiny, 1024, 1024, 1, 1);
  mt_Terminal sixel = {.way = MT_SHOW_SIXEL,
                       .columns = 400,
                       .rows = 200,
                       .cell_width = 10,
                       .cell_height = 20};
  check_fit(sixel, 1024, 1024, 480, 480);
  check_fit(sixel, 2560, 640, 960, 240);
  check_fit(sixel, 400, 300, 400, 300);
}

/* --------------------------------------------------------------- terminals */

static mt_Terminal terminal(mt_Protocol way) {
  return (mt_Terminal){.way = way,
                       .columns = 80,
                       .rows = 24,
                       .cell_width = 10,
                       .cell_height = 20};
}

static void draw(const mt_Picture *p, mt_Terminal t, mt_Str *out) {
  mt_Error err;
  mt_str_clear(out);
  ok(mt_picture_draw(p, &t, out, &err), &err);
}

static long nearest_of_palette(long c) {
  long best = 0, least = LONG_MAX;
  for (long i = 16; i < 256; i++) {
    long p = palette_colour(i), d = 0;
    for (int s = 0; s < 24; s += 8)
      d +=
          ((c >> s & 255) - (p >> s & 255)) * ((c >> s & 255) - (p >> s & 255));
    if (d < least) least = d, best = p;
  }
  return best;
}

static long apart(long a, long b) {
  long most = 0;
  for (int s = 0; s < 24; s += 8) {
    long d = labs((a >> s & 255) - (b >> s & 255));
    if (d > most) most = d;
  }
  return most;
}

static void test_blocks(void **state) {
  (void)state;
  static Canvas c;
  mt_Str out = MT_STR_INIT;
  for (unsigned h = 1; h < 19; h += 5) {
    mt_Picture p = noise(31, h, 8, 3);
    memset(p.rgba, 7, 20); /* some equal ones */
    for (int i = 3; i < 20; i += 4) p.rgba[i] = 255;
    draw(&p, terminal(MT_SHOW_BLOCKS), &out);
    decode_blocks(out.text, &c);
    assert_true(c.width == 31 && c.height == h);
    for (unsigned y = 0; y < h; y++)
      for (unsigned x = 0; x < 31; x++)
        assert_int_equal(c.at[y][x], rgb_at(&p, x, y));
    draw(&p, terminal(MT_SHOW_256), &out);
    decode_blocks(out.text, &c);
    for (unsigned y = 0; y < h; y++)
      for (unsigned x = 0; x < 31; x++) {
        long want = rgb_at(&p, x, y), best = nearest_of_palette(want);
        /* as near as the best, in the sum over the channels */
        if (apart(c.at[y][x], want) > apart(best, want) + 12)
          fail_msg("%06lx became %06lx, %06lx is nearer", want, c.at[y][x],
                   best);
      }
    mt_picture_free(&p);
  }
  mt_str_free(&out);
}

/* What is transparent shows a checkerboard of two greys. */
static void test_transparent(void **state) {
  (void)state;
  static Canvas c;
  mt_Str out = MT_STR_INIT;
  mt_Picture p;
  mt_Error err;
  ok(mt_picture_new(8, 8, 8, &p, &err), &err);
  draw(&p, terminal(MT_SHOW_BLOCKS), &out);
  decode_blocks(out.text, &c);
  assert_int_equal(c.at[0][0], 0x666666);
  assert_int_equal(c.at[0][4], 0x999999);
  assert_int_equal(c.at[7][7], 0x666666);
  mt_picture_free(&p);
  mt_str_free(&out);
}

static void test_ascii(void **state) {
  (void)state;
  mt_Str out = MT_STR_INIT;
  mt_Picture p;
  mt_Error err;
  float ramp[40];
  for (int i = 0; i < 40; i++) ramp[i] = (float)(i % 20);
  mt_NumberField f = {
      .numbers = ramp, .scalar = MT_FLOAT, .width = 20, .height = 2};
  ok(mt_field_picture(&f, MT_MAP_GREY, 0, 19, 8, &p, &err), &err);
  draw(&p, terminal(MT_SHOW_ASCII), &out);
  assert_string_equal(out.text, "  ..::--==++**##%%@@\n");
  mt_picture_free(&p);
  ok(mt_picture_new(4, 3, 8, &p, &err), &err);
  draw(&p, terminal(MT_SHOW_ASCII), &out);
  assert_string_equal(out.text, "\n\n");
  mt_picture_free(&p);
  mt_str_free(&out);
}

static void test_kitty(void **state) {
  (void)state;
  mt_Str out = MT_STR_INIT, controls = MT_STR_INIT, payload = MT_STR_INIT;
  mt_Picture p = noise(70, 41, 8, 3);
  draw(&p, terminal(MT_SHOW_KITTY), &out);
  const char *rest = decode_kitty(out.text, &controls, &payload);
  assert_string_equal(rest, "\n");
  assert_non_null(strstr(controls.text, "a=T,"));
  assert_non_null(strstr(controls.text, "q=2,"));
  assert_non_null(strstr(controls.text, "f=24,s=70,v=41,"));
  assert_int_equal(payload.length, 70 * 41 * 3);
  for (unsigned i = 0; i < 70 * 41; i++)
    assert_memory_equal(payload.text + 3 * i, p.rgba + 4 * i, 3);
  p.rgba[3] = 1;
  draw(&p, terminal(MT_SHOW_KITTY), &out);
  mt_str_clear(&controls), mt_str_clear(&payload);
  decode_kitty(out.text, &controls, &payload);
  assert_non_null(strstr(controls.text, "f=32,"));
  assert_int_equal(payload.length, 70 * 41 * 4);
  assert_memory_equal(payload.text, p.rgba, payload.length);
  mt_Terminal far = terminal(MT_SHOW_KITTY); /* over ssh: compressed */
  mt_Picture q;
  mt_Error err;
  far.far = true;
  draw(&p, far, &out);
  mt_str_clear(&controls), mt_str_clear(&payload);
  decode_kitty(out.text, &controls, &payload);
  if (strstr(controls.text, "f=100,")) {
    ok(mt_picture_decode(payload.text, payload.length, "it", &q, &err), &err);
    for (unsigned i = 0; i < 70 * 41 * 4; i++)
      if (i % 4 < 3) assert_int_equal(q.rgba[i], p.rgba[i]);
    mt_picture_free(&q);
  }
  mt_picture_free(&p);
  mt_str_free(&out), mt_str_free(&controls), mt_str_free(&payload);
}

/* What tmux passes on: the sequences that were wrapped, their ESC single. What
** stays with tmux is in 'kept'. */
static void unwrap(const char *s, mt_Str *passed, mt_Str *kept) {
  static const char head[] = "\033Ptmux;";
  while (*s) {
    if (strncmp(s, head, sizeof head - 1) != 0) {
      mt_str_add_char(kept, *s++);
      continue;
    }
    for (s += sizeof head - 1; strncmp(s, "\033\\", 2) != 0; s++) {
      if (*s == '\0') fail_msg("a sequence for tmux without its end");
      if (*s == '\033' && *++s != '\033')
        fail_msg("an ESC that is not doubled");
      mt_str_add_char(passed, *s);
    }
    s += 2;
  }
}

static void test_kitty_in_tmux(void **state) {
  (void)state;
  mt_Str out = MT_STR_INIT, passed = MT_STR_INIT, kept = MT_STR_INIT,
         controls = MT_STR_INIT, payload = MT_STR_INIT;
  mt_Terminal t = terminal(MT_SHOW_KITTY);
  mt_Picture p = noise(45, 41, 8, 3);
  t.tmux = true;
  draw(&p, t, &out);
  unwrap(out.text, &passed, &kept);
  decode_kitty(passed.text, &controls, &payload);
  assert_non_null(strstr(controls.text, "U=1,"));
  assert_non_null(strstr(controls.text, "c=5,r=3,"));
  assert_int_equal(payload.length, 45 * 41 * 3);
  unsigned cells = 0, lines = 0, id = 0, r, g, b;
  for (const char *s = kept.text; *s; s++) {
    cells += strncmp(s, "\xf4\x8e\xbb\xae", 4) == 0;
    lines += *s == '\n';
  }
  assert_int_equal(cells, 15);
  assert_int_equal(lines, 3);
  assert_int_equal(sscanf(kept.text, "\033[38;2;%u;%u;%um", &r, &g, &b), 3);
  sscanf(strstr(controls.text, "i="), "i=%u", &id);
  assert_int_equal(id, r << 16 | g << 8 | b);
  mt_picture_free(&p);
  mt_str_free(&out), mt_str_free(&passed), mt_str_free(&kept),
      mt_str_free(&controls), mt_str_free(&payload);
}

/* ---------------------------------------------- with the module's libraries */

/* Without them the calls must say so; true if the rest of the test can run. */
static bool has(mt_Status status, const mt_Error *err, const char *package) {
  if (status == MT_OK) return true;
  if (!strstr(err->text, "need") ||
      (!strstr(err->text, package) &&
       !strstr(err->text, "pictures.so is not there")))
    fail_msg("%s", err->text);
  return false;
}

static void test_png(void **state) {
  (void)state;
  for (unsigned i = 0; i < 16; i++) {
    unsigned bits = i & 1 ? 16 : 8, channels = i / 2 % 4 + 1;
    mt_Picture p = i < 8 ? noise(1 + i, 3, bits, channels)
                         : noise(53, 31, bits, channels),
               q;
    mt_Str file = MT_STR_INIT;
    mt_Error err;
    if (has(mt_picture_png(&p, i & 4, &file, &err), &err, "libpng")) {
      ok(mt_picture_decode(file.text, file.length, "it", &q, &err), &err);
      assert_true(q.width == p.width && q.height == p.height &&
                  q.bits == bits && q.channels == channels);
      assert_memory_equal(p.rgba, q.rgba,
                          (size_t)p.width * p.height * bits / 2);
      mt_picture_free(&q);
    }
    mt_picture_free(&p);
    mt_str_free(&file);
  }
}

static void test_iterm(void **state) {
  (void)state;
  mt_Str out = MT_STR_INIT, png = MT_STR_INIT;
  mt_Picture p = noise(33, 12, 8, 3), q;
  mt_Terminal t = terminal(MT_SHOW_ITERM);
  mt_Error err;
  size_t size = 0;
  if (has(mt_picture_draw(&p, &t, &out, &err), &err, "libpng")) {
    assert_int_equal(strncmp(out.text, "\033]1337;File=inline=1;", 21), 0);
    sscanf(strstr(out.text, "size="), "size=%zu", &size);
    assert_non_null(strstr(out.text, "width=33px;height=12px"));
    const char *s = strchr(out.text, ':') + 1;
    decode_base64(&s, &png);
    assert_string_equal(s, "\a\n");
    assert_int_equal(png.length, size);
    ok(mt_picture_decode(png.text, png.length, "it", &q, &err), &err);
    assert_memory_equal(p.rgba, q.rgba, 33 * 12 * 4);
    mt_picture_free(&q);
  }
  mt_picture_free(&p);
  mt_str_free(&out), mt_str_free(&png);
}

/* Few colours come back as they are, many in the mean. */
static void check_sixel(mt_Picture p, long each, double mean) {
  static Canvas c;
  mt_Str out = MT_STR_INIT;
  mt_Terminal t = terminal(MT_SHOW_SIXEL);
  mt_Error err;
  double sum = 0;
  if (has(mt_picture_draw(&p, &t, &out, &err), &err, "libsixel")) {
    decode_sixel(out.text, &c);
    assert_true(c.width == p.width && c.height >= p.height &&
                c.height < p.height + 6);
    for (unsigned y = 0; y < p.height; y++)
      for (unsigned x = 0; x < p.width; x++) {
        long d = apart(c.at[y][x], rgb_at(&p, x, y));
        if (d > each)
          fail_msg("%06lx became %06lx at %u, %u", rgb_at(&p, x, y), c.at[y][x],
                   x, y);
        sum += (double)d;
      }
    if (sum / p.width / p.height > mean)
      fail_msg("sixels are %g off in the mean", sum / p.width / p.height);
  }
  mt_picture_free(&p);
  mt_str_free(&out);
}

static void test_sixel(void **state) {
  (void)state;
  mt_Picture few = noise(40, 26, 8, 3), many;
  mt_Error err;
  float wave[64 * 50];
  for (size_t i = 0; i < 40 * 26; i++)
    for (int c = 0; c < 3; c++)
      few.rgba[4 * i + c] = few.rgba[4 * i + c] & 128 ? 204 : 51;
  check_sixel(few, 2, 2);
  for (int i = 0; i < 64 * 50; i++)
    wave[i] = sinf((float)(i % 64) / 10) * cosf((float)(i / 64) / 8);
  mt_NumberField f = {
      .numbers = wave, .scalar = MT_FLOAT, .width = 64, .height = 50};
  ok(mt_field_picture(&f, MT_MAP_VIRIDIS, -1, 1, 8, &many, &err), &err);
  check_sixel(many, 40, 5);
}

static void test_what_is_no_picture(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    size_t size;
    const char *said;
  } cases[] = {{"", 0, "empty"},
               {"GIF89a", 6, "neither a PNG nor a JPEG"},
               {"\x89PNG\r\n\x1a\n", 8, "PNG"},
               {"\xff\xd8\xff", 3, "JPEG"}};
  mt_Picture p;
  mt_Error err;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_int_equal(
        mt_picture_decode(cases[i].bytes, cases[i].size, "x", &p, &err),
        MT_FAIL);
    if (strstr(err.text, "pictures.so is not there"))
      skip_because("this build has no pictures.so");
    assert_non_null(strstr(err.text, cases[i].said));
    assert_null(p.rgba);
  }
  assert_int_equal(mt_picture_load("/dev/null", &p, &err), MT_FAIL);
  assert_non_null(strstr(err.text, "a device or a pipe"));
  assert_int_equal(mt_picture_load("/nonexistent", &p, &err), MT_FAIL);
  assert_false(mt_picture_is("/nonexistent"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_maps),        cmocka_unit_test(test_fields),
      cmocka_unit_test(test_colours),
      cmocka_unit_test(test_resize),      cmocka_unit_test(test_fit),
      cmocka_unit_test(test_blocks),      cmocka_unit_test(test_transparent),
      cmocka_unit_test(test_ascii),       cmocka_unit_test(test_kitty),
      cmocka_unit_test(test_kitty_in_tmux), cmocka_unit_test(test_png),
      cmocka_unit_test(test_iterm),       cmocka_unit_test(test_sixel),
      cmocka_unit_test(test_what_is_no_picture)};
  return cmocka_run_group_tests_name("pictures", tests, find_module, NULL);
}
