/*
** test_frame.c - pictures/frame.h: numbers of every type to pixels, beside the
** same in plain double arithmetic.
**
** Guards: pictures/frame.c: numbers of every type to pixels
*/
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/kernel_types/scalar.h"
#include "pictures/frame.h"

static uint8_t expected(double v, double low, double high) {
  double x = (v - low) / (high - low) * 255;
  return !(x > 0) ? 0 : x > 255 ? 255 : (uint8_t)(x + 0.5);
}

/* One off where rounding in float is at a half. */
static void near(uint8_t got, uint8_t wanted) {
  if (abs(got - wanted) > 1) fail_msg("%d, not %d", got, wanted);
}

static void each_type(void **state) {
  (void)state;
  enum { N = 5000 }; /* more than a block */
  static double numbers[N];
  static uint8_t bytes[N * 8], rgba[N * 4];
  for (mt_Scalar s = MT_BOOL; s <= MT_FLOAT; s++) {
    double low, high;
    mt_frame_range(s, &low, &high);
    for (int i = 0; i < N; i++) {
      double part = (i % 301 - 20) / 260.0; /* also below and above */
      double v = low + part * (high - low);
      if (!mt_scalar_is_float(s)) v = floor(v);
      v = fmin(
          fmax(v, mt_scalar_lowest(s)),
          mt_scalar_highest(s) / (s >= MT_LONG && s <= MT_ULONG ? 1.001 : 1));
      numbers[i] = s == MT_BOOL ? i % 2 : v;
    }
    mt_scalars_pack(s, numbers, N, bytes);
    mt_scalars_unpack(s, bytes, N, numbers); /* rounded as they are stored */
    mt_Texels t = {bytes, s, 1, 1, false, N};
    mt_frame_fill(&t, low, high, NULL, rgba);
    for (int i = 0; i < N; i++) {
      near(rgba[i * 4], expected(numbers[i], low, high));
      assert_int_equal(rgba[i * 4 + 1], rgba[i * 4]);
      assert_int_equal(rgba[i * 4 + 3], 255);
    }
  }
}

static void colours(void **state) {
  (void)state;
  float padded[2][4] = {{0, 0.5f, 1, 9}, {-1, 2, NAN, 9}};
  uint8_t rgba[8];
  mt_frame_fill(&(mt_Texels){padded, MT_FLOAT, 3, 4, false, 2}, 0, 1, NULL,
                rgba);
  assert_memory_equal(rgba, ((uint8_t[]){0, 128, 255, 255, 0, 255, 0, 255}), 8);
  uint8_t bgra[] = {1, 2, 3, 0};
  mt_frame_fill(&(mt_Texels){bgra, MT_UCHAR, 4, 4, true, 1}, 0, 255, NULL,
                rgba);
  assert_memory_equal(rgba, ((uint8_t[]){3, 2, 1, 255}), 4);
  float two[] = {1, 0.5f};
  mt_frame_fill(&(mt_Texels){two, MT_FLOAT, 2, 2, false, 1}, 0, 1, NULL, rgba);
  assert_memory_equal(rgba, ((uint8_t[]){255, 128, 0, 255}), 4);
}

static void mapped(void **state) {
  (void)state;
  static uint8_t map[256][3];
  for (int i = 0; i < 256; i++)
    map[i][0] = (uint8_t)i, map[i][1] = 7, map[i][2] = (uint8_t)(255 - i);
  int32_t v[] = {-10, 0, 10};
  uint8_t rgba[12];
  mt_frame_fill(&(mt_Texels){v, MT_INT, 1, 1, false, 3}, -10, 10, map, rgba);
  assert_memory_equal(
      rgba, ((uint8_t[]){0, 7, 255, 255, 128, 7, 127, 255, 255, 7, 0, 255}),
      12);
  /* no range at all */
  mt_frame_fill(&(mt_Texels){v, MT_INT, 1, 1, false, 3}, 5, 5, map, rgba);
  assert_int_equal(rgba[0], 0);
}

/* The table of 16-bit floats follows the range and the type. */
static void half_tables(void **state) {
  (void)state;
  uint16_t one_half = 0x3800, same_as_bfloat = 0x3f00;
  uint8_t rgba[4];
  for (int again = 0; again < 2; again++) {
    mt_frame_fill(&(mt_Texels){&one_half, MT_HALF, 1, 1, false, 1}, 0, 1, NULL,
                  rgba);
    assert_int_equal(rgba[0], 128);
    mt_frame_fill(&(mt_Texels){&one_half, MT_HALF, 1, 1, false, 1}, 0, 2, NULL,
                  rgba);
    assert_int_equal(rgba[0], 64);
    mt_frame_fill(&(mt_Texels){&same_as_bfloat, MT_BFLOAT, 1, 1, false, 1}, 0,
                  2, NULL, rgba);
    assert_int_equal(rgba[0], 64);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_type), cmocka_unit_test(colours),
      cmocka_unit_test(mapped), cmocka_unit_test(half_tables)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
