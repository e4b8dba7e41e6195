/*
** test_picture_files.c - every kind of PNG and JPEG file, and files that are
** wrong in every way we know: each gets its pixels or one sentence.
**
** Guards: pictures/module: every kind of PNG and JPEG, wrong and damaged ones
** (tests/c/pictures/picture_samples.h); pictures/files.c,
** pictures/module/{jpeg, png}.c
*/
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/notice.h"
#include "tests/c/find_module.h"
#include "tests/c/pictures/picture_samples.h"
#include "pictures/picture.h"
#include "tests/c/skip.h"

static bool has_png, has_jpeg;
static char warning[512]; /* the last one */

static uint32_t seed = 7;
static unsigned roll(unsigned n) {
  seed = seed * 1664525u + 1013904223u;
  return n ? (seed >> 8) % n : 0;
}

static mt_Status decode(const mt_Str *file, mt_Picture *p, mt_Error *err) {
  err->text[0] = '\0';
  return mt_picture_decode(mt_str_text(file), file->length, "it", p, err);
}

/* Right, with this size; the caller frees it. */
static mt_Picture right(const mt_Str *file, unsigned w, unsigned h,
                        unsigned bits, unsigned channels) {
  mt_Picture p;
  mt_Error err;
  if (decode(file, &p, &err) != MT_OK) fail_msg("%s", err.text);
  if (p.width != w || p.height != h || p.bits != bits || p.channels != channels)
    fail_msg("%u × %u, %u bits, %u channels", p.width, p.height, p.bits,
             p.channels);
  return p;
}

/* Wrong, with one sentence that has 'part' in it. Frees the file. */
static void wrong(mt_Str *file, const char *part) {
  mt_Picture p;
  mt_Error err;
  if (decode(file, &p, &err) == MT_OK)
    fail_msg("a wrong file was taken: %s", part);
  if (!strstr(err.text, part) || strchr(err.text, '\n'))
    fail_msg("'%s' is not in '%s'", part, err.text);
  assert_null(p.rgba);
  mt_str_free(file);
}

static void check_pixel(const mt_Picture *p, unsigned x, unsigned y,
                        uint32_t rgba, int tolerance) {
  const uint8_t *px = p->rgba + ((size_t)y * p->width + x) * 4;
  for (int c = 0; c < 4; c++)
    if (abs(px[c] - (int)(rgba >> (24 - 8 * c) & 255)) > tolerance)
      fail_msg("at %u, %u: %02x%02x%02x%02x instead of %08x", x, y, px[0],
               px[1], px[2], px[3], rgba);
}

/* --------------------------------------------------------------------- PNG */

static void test_palette(void **state) {
  (void)state;
  if (!has_png) skip_because("this build has no libpng");
  static const uint8_t colours[12] = {
      255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30};
  for (int bits = 2; bits <= 8; bits *= 2) {
    mt_Str f = MT_STR_INIT;
    /* 4 × 1 pixels: 0 1 2 3 */
    uint8_t row[5] = {0,
                      bits == 2   ? 0x1b
                      : bits == 4 ? 0x01
                                  : 0,
                      bits == 4 ? 0x23 : 1, 2, 3};
    sample_head(&f, 4, 1, bits, 3, 0);
    sample_chunk(&f, "PLTE", colours, 12);
    sample_chunk(&f, "tRNS", "\x80\xff\x00", 3);
    sample_data(&f, row, bits == 2 ? 2 : bits == 4 ? 3 : 5);
    mt_Picture p = right(&f, 4, 1, 8, 4);
    check_pixel(&p, 0, 0, 0xff000080, 0);
    check_pixel(&p, 1, 0, 0x00ff00ff, 0);
    check_pixel(&p, 2, 0, 0x0000ff00, 0);
    check_pixel(&p, 3, 0, 0x0a141eff, 0);
    mt_picture_free(&p);
    mt_str_free(&f);
  }
}

static void test_grey(void **state) {
  (void)state;
  if (!has_png) skip_because("this build has no libpng");
  for (int bits = 1; bits <= 4; bits *= 2) {
    mt_Str f = MT_STR_INIT;
    /* white, black */
    uint8_t row[2] = {0, bits == 1 ? 0x80 : bits == 2 ? 0xc0 : 0xf0};
    sample_head(&f, 2, 1, bits, 0, 0);
    sample_data(&f, row, 2);
    mt_Picture p = right(&f, 2, 1, 8, 1);
    check_pixel(&p, 0, 0, 0xffffffff, 0);
    check_pixel(&p, 1, 0, 0x000000ff, 0);
    mt_picture_free(&p);
    mt_str_free(&f);
  }
  mt_Str f = MT_STR_INIT, g = MT_STR_INIT;
  sample_head(&f, 2, 1, 8, 4, 0); /* grey and alpha */
  sample_data(&f, (const uint8_t *)"\0\x20\x40\xff\x00", 5);
  mt_Picture p = right(&f, 2, 1, 8, 2);
  check_pixel(&p, 0, 0, 0x20202040, 0);
  check_pixel(&p, 1, 0, 0xffffff00, 0);
  mt_picture_free(&p);
  sample_head(&g, 2, 1, 16, 0, 0); /* one of the greys is transparent */
  sample_chunk(&g, "tRNS", "\x12\x34", 2);
  sample_data(&g, (const uint8_t *)"\0\x12\x34\xff\xfe", 5);
  p = right(&g, 2, 1, 16, 2);
  const uint16_t *v = (const uint16_t *)(void *)p.rgba;
  assert_true(v[0] == 0x1234 && v[3] == 0 && v[4] == 0xfffe && v[7] == 65535);
  mt_picture_free(&p);
  mt_str_free(&f), mt_str_free(&g);
}

/* Adam7: pixel by pixel in seven passes. */
static void test_interlaced(void **state) {
  (void)state;
  if (!has_png) skip_because("this build has no libpng");
  static const uint8_t start[7][2] = {{0, 0}, {4, 0}, {0, 4}, {2, 0},
                                      {0, 2}, {1, 0}, {0, 1}};
  static const uint8_t step[7][2] = {{8, 8}, {8, 8}, {4, 8}, {4, 4},
                                     {2, 4}, {2, 2}, {1, 2}};
  mt_Str f = MT_STR_INIT, rows = MT_STR_INIT;
  for (int pass = 0; pass < 7; pass++)
    for (unsigned y = start[pass][1]; y < 7; y += step[pass][1]) {
      if (start[pass][0] >= 9) continue;
      mt_str_add_char(&rows, 0);
      for (unsigned x = start[pass][0]; x < 9; x += step[pass][0])
        mt_str_add_char(&rows, (char)(x * 20 + y));
    }
  sample_head(&f, 9, 7, 8, 0, 1);
  sample_data(&f, (const uint8_t *)rows.text, rows.length);
  mt_Picture p = right(&f, 9, 7, 8, 1);
  for (unsigned y = 0; y < 7; y++)
    for (unsigned x = 0; x < 9; x++)
      check_pixel(&p, x, y, (x * 20 + y) * 0x01010100u + 255, 0);
  mt_picture_free(&p);
  mt_str_free(&f), mt_str_free(&rows);
}

/* A right file of 5 × 3 pixels with its chunks in order. */
static mt_Str a_png(void) {
  mt_Str f = MT_STR_INIT;
  uint8_t rows[3 * 16];
  for (int i = 0; i < 48; i++) rows[i] = i % 16 ? (uint8_t)(i * 5) : 0;
  sample_head(&f, 5, 3, 8, 2, 0);
  sample_data(&f, rows, sizeof rows);
  return f;
}

static mt_Str head_only(uint32_t w, uint32_t h, int bits, int type) {
  mt_Str f = MT_STR_INIT;
  sample_head(&f, w, h, bits, type, 0);
  sample_data(&f, (const uint8_t *)"\0\1\2\3", 4);
  return f;
}

static void test_wrong_png(void **state) {
  (void)state;
  if (!has_png) skip_because("this build has no libpng");
  mt_Str f = head_only(100000, 100000, 8, 6);
  wrong(&f, "100000 × 100000 pixels are too many");
  f = head_only(0x7fffffff, 0x7fffffff, 8, 6);
  wrong(&f, "too many");
  f = head_only(10000, 10000, 8, 6);
  wrong(&f, "it claims 10000 × 10000 pixels");
  f = head_only(0, 10, 8, 6);
  wrong(&f, "damaged");
  f = head_only(10, 0, 8, 6);
  wrong(&f, "damaged");
  f = head_only(4, 4, 3, 6);
  wrong(&f, "damaged");
  f = head_only(4, 4, 8, 7);
  wrong(&f, "damaged");
  f = head_only(4, 4, 8, 3); /* a palette that is not there */
  wrong(&f, "damaged");
  f = head_only(4, 4, 8, 0); /* fewer rows than it has */
  wrong(&f, "damaged");
  f = a_png();
  f.text[20]++; /* in IHDR, whose sum is then wrong */
  wrong(&f, "damaged");
  f = a_png();
  f.text[50]++; /* the same in IDAT */
  wrong(&f, "damaged");
  f = (mt_Str)MT_STR_INIT;
  sample_head(&f, 5, 3, 8, 2, 0);
  sample_head(&f, 5, 3, 8, 2, 0);
  wrong(&f, "damaged");
  f = (mt_Str)MT_STR_INIT;
  sample_head(&f, 5, 3, 8, 2, 0);
  sample_chunk(&f, "IEND", "", 0);
  wrong(&f, "damaged");
  f = (mt_Str)MT_STR_INIT;
  sample_head(&f, 5, 3, 8, 2, 0);
  mt_str_add_bytes(&f, "\x7f\xff\xff\xffIDAT", 8);
  wrong(&f, "PNG");
  f = (mt_Str)MT_STR_INIT;
  sample_head(&f, 5, 3, 8, 2, 0);
  sample_chunk(&f, "ABCD", "x", 1); /* a chunk that must be known, and is not */
  sample_data(&f, (const uint8_t *)"\0", 1);
  wrong(&f, "damaged");
}

/* Every beginning of a right file is wrong; more after its end is not, and is
** counted. */
static void check_cuts(const uint8_t *bytes, size_t n) {
  for (size_t cut = 9; cut < n; cut++) {
    mt_Str f = MT_STR_INIT;
    mt_str_add_bytes(&f, bytes, cut);
    wrong(&f, "it: ");
  }
  mt_Str f = MT_STR_INIT;
  mt_Picture p;
  mt_Error err;
  mt_str_add_bytes(&f, bytes, n);
  mt_str_add(&f, "and more");
  if (decode(&f, &p, &err) != MT_OK) fail_msg("%s", err.text);
  assert_int_equal(p.left_over, strlen("and more"));
  mt_picture_free(&p);
  f.length = n;
  if (decode(&f, &p, &err) != MT_OK) fail_msg("%s", err.text);
  assert_int_equal(p.left_over, 0);
  mt_picture_free(&p);
  mt_str_free(&f);
}

static void told(const char *text) {
  snprintf(warning, sizeof warning, "%s", text);
}

/* A file that is loaded, as it is and with bytes after its end. */
static void tell_of_more(const char *name, const uint8_t *bytes, size_t n) {
  mt_Str f = MT_STR_INIT;
  mt_Picture p;
  mt_Error err;
  mt_str_add_bytes(&f, bytes, n);
  mt_str_add(&f, "and more");
  mt_warning_set(told);
  for (size_t more = 0; more <= 8; more += 8) {
    warning[0] = '\0';
    mt_file_write(name, f.text, n + more, 0600, &err);
    assert_int_equal(mt_picture_load(name, &p, &err), MT_OK);
    bool said = strstr(warning, "8 bytes after the end") != NULL;
    assert_true(said == (more > 0));
    mt_picture_free(&p);
  }
  mt_warning_set(NULL);
  remove(name);
  mt_str_free(&f);
}

static void test_more_than_a_picture(void **state) {
  (void)state;
  mt_Str png = a_png();
  if (has_png) tell_of_more("m.png", (const uint8_t *)png.text, png.length);
  if (has_jpeg) tell_of_more("m.jpg", jpeg_colour, sizeof jpeg_colour);
  mt_str_free(&png);
}

static void test_cut_short(void **state) {
  (void)state;
  mt_Str png = a_png();
  if (has_png) check_cuts((const uint8_t *)png.text, png.length);
  if (has_jpeg) {
    check_cuts(jpeg_colour, sizeof jpeg_colour);
    check_cuts(jpeg_progressive, sizeof jpeg_progressive);
  }
  mt_str_free(&png);
}

/* -------------------------------------------------------------------- JPEG */

static mt_Str bytes(const uint8_t *from, size_t n) {
  mt_Str f = MT_STR_INIT;
  mt_str_add_bytes(&f, from, n);
  return f;
}

/* red, green, blue, white in the middles of the four fields */
static void check_fields(const mt_Picture *p, const uint32_t want[4]) {
  for (unsigned i = 0; i < 4; i++)
    check_pixel(p, p->width / 4 + i % 2 * p->width / 2,
                p->height / 4 + i / 2 * p->height / 2, want[i], 8);
}

static const uint32_t upright[4] = {0xc81e1eff, 0x1eb428ff, 0x2832c8ff,
                                    0xe6e6e6ff};

static void test_jpeg(void **state) {
  (void)state;
  if (!has_jpeg) skip_because("this build has no libjpeg");
  static const uint32_t greys[4] = {0x515151ff, 0x797979ff, 0x3e3e3eff,
                                    0xe6e6e6ff};
  mt_Str f = bytes(jpeg_colour, sizeof jpeg_colour);
  mt_Picture p = right(&f, 16, 32, 8, 3);
  check_fields(&p, upright);
  mt_picture_free(&p), mt_str_free(&f);
  f = bytes(jpeg_progressive, sizeof jpeg_progressive);
  p = right(&f, 32, 16, 8, 3);
  check_fields(&p, upright);
  mt_picture_free(&p), mt_str_free(&f);
  f = bytes(jpeg_grey, sizeof jpeg_grey);
  p = right(&f, 16, 16, 8, 1);
  check_fields(&p, greys);
  mt_picture_free(&p), mt_str_free(&f);
  f = bytes(jpeg_cmyk, sizeof jpeg_cmyk); /* inks become colours */
  p = right(&f, 16, 16, 8, 3);
  check_fields(&p, upright);
  mt_picture_free(&p), mt_str_free(&f);
}

/* The file with EXIF that has this orientation, after its first marker. */
static mt_Str turned(unsigned orientation, bool big_endian) {
  static const char intel[] =
      "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0?\0\0\0\0\0\0\0";
  static const char motorola[] =
      "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0?\0\0\0\0\0\0";
  char exif[26];
  mt_Str f = MT_STR_INIT;
  memcpy(exif, big_endian ? motorola : intel, 26);
  exif[big_endian ? 19 : 18] = (char)orientation;
  mt_str_add_bytes(&f, "\xff\xd8\xff\xe1\0\x22" "Exif\0\0", 12);
  mt_str_add_bytes(&f, exif, 26);
  mt_str_add_bytes(&f, jpeg_colour + 2, sizeof jpeg_colour - 2);
  return f;
}

/* Which field of the file is seen at each place: 0 1 above 2 3 is upright. */
static void test_orientation(void **state) {
  (void)state;
  if (!has_jpeg) skip_because("this build has no libjpeg");
  static const char *const seen[9] = {
      "0123", "0123", "1032", "3210", "2301", "0213", "2031", "3120", "1302"};
  for (unsigned o = 0; o <= 8; o++)
    for (int big = 0; big < 2; big++) {
      uint32_t want[4];
      mt_Str f = turned(o, big);
      mt_Picture p = o < 5 ? right(&f, 16, 32, 8, 3) : right(&f, 32, 16, 8, 3);
      for (int i = 0; i < 4; i++) want[i] = upright[seen[o][i] - '0'];
      check_fields(&p, want);
      mt_picture_free(&p), mt_str_free(&f);
    }
}

/* Where the frame's header (SOF) has its precision; height and width follow. */
static size_t find_frame(const mt_Str *f) {
  const uint8_t *s = (const uint8_t *)f->text;
  for (size_t i = 2; i + 4 < f->length; i += 2u + (s[i + 2] << 8 | s[i + 3]))
    if (s[i + 1] == 0xc0 || s[i + 1] == 0xc2) return i + 4;
  fail_msg("no frame in the JPEG file");
  return 0;
}

static void set_size(mt_Str *f, unsigned w, unsigned h) {
  size_t at = find_frame(f);
  const char size[4] = {(char)(h >> 8), (char)h, (char)(w >> 8), (char)w};
  memcpy(f->text + at + 1, size, 4);
}

static void test_wrong_jpeg(void **state) {
  (void)state;
  if (!has_jpeg) skip_because("this build has no libjpeg");
  mt_Str f = bytes(jpeg_colour, sizeof jpeg_colour);
  set_size(&f, 65000, 65000);
  wrong(&f, "too many");
  f = bytes(jpeg_progressive, sizeof jpeg_progressive);
  set_size(&f, 60000, 2000);
  wrong(&f, "it claims 60000 × 2000 pixels");
  f = bytes(jpeg_colour, sizeof jpeg_colour);
  set_size(&f, 64, 64); /* more than there is */
  wrong(&f, "damaged");
  f = bytes(jpeg_colour, sizeof jpeg_colour);
  set_size(&f, 0, 16);
  wrong(&f, "JPEG");
  f = bytes(jpeg_colour, sizeof jpeg_colour);
  f.text[find_frame(&f)] = 12; /* bits */
  wrong(&f, "JPEG");
  f = bytes(jpeg_colour, sizeof jpeg_colour);
  memset(f.text + f.length - 12, 0x55, 10);
  wrong(&f, "damaged");
  /* the same scans a hundred times over: each would go through the picture */
  size_t n = sizeof jpeg_progressive, scan = 0;
  for (size_t i = 0; i + 1 < n && !scan; i++)
    if (jpeg_progressive[i] == 0xff && jpeg_progressive[i + 1] == 0xc4)
      scan = i;
  f = bytes(jpeg_progressive, scan);
  for (int i = 0; i < 100; i++)
    mt_str_add_bytes(&f, jpeg_progressive + scan, n - scan - 2);
  mt_str_add(&f, "\xff\xd9");
  mt_Picture p;
  mt_Error err;
  if (decode(&f, &p, &err) == MT_OK) mt_picture_free(&p);
  else assert_non_null(strstr(err.text, "JPEG"));
  mt_str_free(&f);
}

/* ---------------------------------------------------------------- mutations */

static void damage(mt_Str *f) {
  size_t n = f->length, at = roll((unsigned)n), length = 1 + roll(20);
  if (at + length > n) length = n - at;
  switch (roll(5)) {
    case 0: f->text[at] ^= (char)(1 << roll(8)); break;
    case 1: memset(f->text + at, (int)roll(256), length); break;
    case 2: /* leave some out */
      memmove(f->text + at, f->text + at + length, n - at - length);
      f->length -= length;
      break;
    case 3: /* say some twice */
      mt_str_reserve(f, length);
      mt_str_add_bytes(f, f->text + at, length);
      memmove(f->text + at + length, f->text + at, f->length - at - length);
      break;
    default: f->text[at] = (char)(roll(2) ? 0xff : 0);
  }
}

/* Damaged in one to four places: a picture or a sentence, never more. */
static void check_damaged(const mt_Str *file, int times, bool fix) {
  for (int i = 0; i < times; i++) {
    mt_Str f = MT_STR_INIT;
    mt_Picture p;
    mt_Error err;
    mt_str_add_bytes(&f, file->text, file->length);
    for (unsigned k = roll(4) + 1; k > 0; k--) damage(&f);
    if (fix && i % 4) sample_fix_crcs((uint8_t *)f.text, f.length);
    if (decode(&f, &p, &err) == MT_OK) {
      assert_true(p.rgba && p.width && p.height && p.channels >= 1 &&
                  p.channels <= 4);
      mt_picture_free(&p);
    } else {
      assert_true(err.text[0] && !strchr(err.text, '\n') && p.rgba == NULL);
    }
    mt_str_free(&f);
  }
}

static void test_damage(void **state) {
  (void)state;
  const struct { const uint8_t *at; size_t n;
  } jpegs[] = {{jpeg_colour, sizeof jpeg_colour},
               {jpeg_grey, sizeof jpeg_grey},
               {jpeg_progressive, sizeof jpeg_progressive},
               {jpeg_cmyk, sizeof jpeg_cmyk}};
  for (int i = 0; i < 4 && has_jpeg; i++) {
    mt_Str f = bytes(jpegs[i].at, jpegs[i].n);
    check_damaged(&f, 1000, false);
    mt_str_free(&f);
  }
  for (unsigned i = 0; i < 8 && has_png; i++) { /* compressed, with filters */
    mt_Picture p;
    mt_Error err;
    mt_Str f = MT_STR_INIT;
    assert_int_equal(mt_picture_new(40, 30, i & 1 ? 16 : 8, &p, &err), MT_OK);
    p.channels = 1 + i / 2;
    for (size_t k = 0; k < 40 * 30 * p.bits / 2; k++)
      p.rgba[k] = (uint8_t)(k % 97 + k / 160);
    assert_int_equal(mt_picture_png(&p, false, &f, &err), MT_OK);
    check_damaged(&f, 600, true);
    mt_picture_free(&p), mt_str_free(&f);
  }
  mt_Str f = turned(6, true);
  if (has_jpeg) check_damaged(&f, 200, false);
  mt_str_free(&f);
}

/* ------------------------------------------------------------------ on disk */

static void refused(const char *path, const char *part) {
  mt_Picture p;
  mt_Error err;
  assert_int_equal(mt_picture_load(path, &p, &err), MT_FAIL);
  if (!strstr(err.text, part)) fail_msg("'%s' is not in '%s'", part, err.text);
  assert_false(mt_picture_is(path));
}

static void test_what_is_no_file(void **state) {
  (void)state;
  char folder[] = "/tmp/mettle-pictures-XXXXXX", path[64], link[64];
  mt_Error err;
  mt_Picture p;
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/pipe.png", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  refused(path, "a device or a pipe"); /* and it does not wait for a writer */
  unlink(path);
  refused(folder, "a folder");
  refused("/dev/zero", "a device or a pipe");
  snprintf(link, sizeof link, "%s/link.png", folder);
  assert_int_equal(symlink(link, link), 0);
  refused(link, "link.png: ");
  unlink(link);
  snprintf(path, sizeof path, "%s/it.png", folder);
  mt_Str f = a_png();
  assert_int_equal(mt_file_write(path, f.text, f.length, 0600, &err), MT_OK);
  assert_int_equal(symlink(path, link), 0);
  assert_true(mt_picture_is(link)); /* a link to a file is one */
  if (has_png) {
    assert_int_equal(mt_picture_load(link, &p, &err), MT_OK);
    mt_picture_free(&p);
  }
  unlink(link), unlink(path), rmdir(folder);
  mt_str_free(&f);
}

static int find_libraries(void **state) {
  if (find_module(state) != 0) return -1;
  mt_Picture p;
  mt_Error err;
  mt_Str png = a_png(), jpeg = bytes(jpeg_grey, sizeof jpeg_grey);
  has_png = decode(&png, &p, &err) == MT_OK || !strstr(err.text, "need");
  mt_picture_free(&p);
  has_jpeg = decode(&jpeg, &p, &err) == MT_OK || !strstr(err.text, "need");
  mt_picture_free(&p);
  mt_str_free(&png), mt_str_free(&jpeg);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_palette),
                                     cmocka_unit_test(test_grey),
                                     cmocka_unit_test(test_interlaced),
                                     cmocka_unit_test(test_wrong_png),
                                     cmocka_unit_test(test_cut_short),
      cmocka_unit_test(test_more_than_a_picture),
                                     cmocka_unit_test(test_jpeg),
                                     cmocka_unit_test(test_orientation),
                                     cmocka_unit_test(test_wrong_jpeg),
                                     cmocka_unit_test(test_damage),
                                     cmocka_unit_test(test_what_is_no_file)};
  return cmocka_run_group_tests_name("picture_files", tests, find_libraries,
                                     NULL);
}
