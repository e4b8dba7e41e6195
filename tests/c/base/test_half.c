/*
** test_half.c - 16-bit floats beside their definition: every value, and every
** place between two of them.
**
** Guards: base/kernel_types/half.c: all values, ties, overflow, denormals, NaN,
** and doubles that are rounded once
*/
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/kernel_types/half.h"

typedef struct Form {
  unsigned fraction; /* bits; the exponent has the rest of 15 */
  float (*to_float)(uint16_t);
  uint16_t (*from_float)(float), (*from_double)(double);
} Form;

static const Form forms[] = {
    {10, mt_half_to_float, mt_half_from_float, mt_half_from_double},
    {7, mt_bfloat_to_float, mt_bfloat_from_float, mt_bfloat_from_double}};

#define INFINITE(f) (uint16_t)(0x7fffu >> (f)->fraction << (f)->fraction)

static double value_of(const Form *f, uint16_t bits) {
  int bias = (1 << (14 - f->fraction)) - 1,
      exponent = (bits & 0x7fff) >> f->fraction;
  double fraction = bits & ((1u << f->fraction) - 1);
  double one = ldexp(fraction + (exponent ? 1u << f->fraction : 0),
                     (exponent ? exponent : 1) - bias - (int)f->fraction);
  if ((bits & 0x7fff) == INFINITE(f)) one = HUGE_VAL;
  return bits & 0x8000 ? -one : one;
}

static void test_values(void **state) {
  const Form *f = *state;
  for (uint32_t bits = 0; bits < 0x10000; bits++) {
    float x = f->to_float((uint16_t)bits);
    if ((bits & 0x7fff) > INFINITE(f)) {
      assert_true(isnan(x));
      uint16_t back = f->from_float(x);
      assert_true((back & 0x7fff) > INFINITE(f));
      assert_int_equal(back & 0x8000, bits & 0x8000);
      assert_true((f->from_double((double)x) & 0x7fff) > INFINITE(f));
      continue;
    }
    assert_true((double)x == value_of(f, (uint16_t)bits));
    assert_int_equal(signbit(x) != 0, bits >> 15);
    assert_int_equal(f->from_float(x), bits);
    assert_int_equal(f->from_double((double)x), bits);
  }
}

/* The middle between each two neighbours goes to the even one, what is next to
** it to the nearer one; beyond the largest there is a next one, too. */
static void test_middles(void **state) {
  const Form *f = *state;
  for (uint16_t bits = 0; bits < INFINITE(f); bits++) {
    double a = value_of(f, bits),
           b = bits + 1 == INFINITE(f)
                   ? 2 * a - value_of(f, (uint16_t)(bits - 1))
                   : value_of(f, (uint16_t)(bits + 1));
    double middle = (a + b) / 2, near = (b - a) * 0x1p-30;
    uint16_t even = (uint16_t)(bits + (bits & 1)), next = (uint16_t)(bits + 1);
    for (unsigned sign = 0; sign < 2; sign++) {
      double way = sign ? -1 : 1;
      uint16_t s = (uint16_t)(sign << 15);
      float m = (float)(way * middle);
      assert_int_equal(f->from_float(m), s | even);
      assert_int_equal(f->from_float(nextafterf(m, 0)), s | bits);
      assert_int_equal(f->from_float(nextafterf(m, (float)(way * HUGE_VAL))),
                       s | next);
      /* as floats these are the middle */
      assert_int_equal(f->from_double(way * middle), s | even);
      assert_int_equal(f->from_double(way * (middle - near)), s | bits);
      assert_int_equal(f->from_double(way * (middle + near)), s | next);
    }
  }
}

static void test_large_and_small(void **state) {
  const Form *f = *state;
  assert_int_equal(f->from_float(HUGE_VALF), INFINITE(f));
  assert_int_equal(f->from_float(-HUGE_VALF), 0x8000 | INFINITE(f));
  assert_int_equal(f->from_float(3.4e38f),
                   f->fraction == 10 ? INFINITE(f) : 0x7f80);
  assert_int_equal(f->from_double(1e300), INFINITE(f));
  assert_int_equal(f->from_double(-1e300), 0x8000 | INFINITE(f));
  assert_int_equal(f->from_double(HUGE_VAL), INFINITE(f));
  assert_int_equal(f->from_double(1e-300), 0);
  assert_int_equal(f->from_double(-1e-300), 0x8000);
  assert_int_equal(f->from_float(-0.0f), 0x8000);
  /* a NaN whose bits are all in those that fall away */
  uint32_t u = 0xff800001u;
  float x;
  memcpy(&x, &u, sizeof x);
  uint16_t nan = f->from_float(x);
  assert_true((nan & 0x7fff) > INFINITE(f) && nan >> 15);
}

#define BOTH(test)                                                            \
  {#test " half", test, NULL, NULL, (void *)&forms[0]},                       \
      {#test " bfloat", test, NULL, NULL, (void *)&forms[1]}

int main(void) {
  const struct CMUnitTest tests[] = {BOTH(test_values), BOTH(test_middles),
                                     BOTH(test_large_and_small)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
