/*
** test_cpu_math.c - how exact are the functions of cpu/mathf.h? Measured
** against libm in double, on floats spread over all there are.
**
** Guards: cpu/mathf.h: exp, log, normal distribution in units of the last place
*/
#include "tests/c/cpu/cpu_case.h"

#include "cpu/mathf.h"

/* Distance in units of the last place of the float nearest to 'want'. */
static double ulps(float got, double want) {
  float near = (float)want;
  if (isnan(want)) return isnan(got) ? 0 : HUGE_VAL;
  if (isinf(near) || isinf(got)) return got == near ? 0 : HUGE_VAL;
  int e = ilogb(want);
  double ulp = ldexp(1, (want == 0 || e < -126 ? -126 : e) - 23);
  return fabs((double)got - want) / ulp;
}

static void worst(float (*f)(float), double (*exact)(double), double limit,
                  const char *name) {
  double most = 0;
  float at = 0;
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 1009) {
    float x = mt_from_bits((uint32_t)bits);
    double d = ulps(f(x), exact(x));
    if (d > most) most = d, at = x;
  }
  if (most > limit)
    fail_msg("%s(%a) is %g ulp off: %a", name, (double)at, most,
             (double)f(at));
  print_message("# %s: %.3f ulp at worst\n", name, most);
}

static float call_exp(float x) { return mt_exp(x); }
static float call_log(float x) { return mt_log(x); }

static void test_exp(void **state) {
  (void)state;
  worst(call_exp, exp, 1, "exp");
  assert_true(mt_exp(0) == 1);
  assert_true(mt_exp(-0.0f) == 1);
  assert_true(mt_exp(INFINITY) == INFINITY);
  assert_true(mt_exp(-INFINITY) == 0);
  assert_true(isnan(mt_exp(NAN)));
}

static void test_log(void **state) {
  (void)state;
  worst(call_log, log, 2, "log");
  assert_true(mt_log(1) == 0);
  assert_true(mt_log(0) == -INFINITY);
  assert_true(mt_log(INFINITY) == INFINITY);
  assert_true(isnan(mt_log(-1)));
  assert_true(isnan(mt_log(NAN)));
}

static void test_normal(void **state) {
  double most = 0;
  (void)state;
  for (double x = -40; x <= 40; x += 1.0 / 4096) {
    double d = fabs(mt_normal_below((float)x) - 0.5 * erfc(-x / sqrt(2)));
    if (d > most) most = d;
  }
  print_message("# normal distribution: %.3g at worst\n", most);
  assert_true(most < 3e-7);
  assert_true(mt_normal_below(INFINITY) == 1);
  assert_true(mt_normal_below(-INFINITY) == 0);
  assert_true(isnan(mt_normal_below(NAN)));
}

static void test_relu_and_larger(void **state) {
  (void)state;
  assert_true(isnan(mt_relu(NAN)));
  assert_true(mt_relu(-INFINITY) == 0);
  assert_true(mt_relu(INFINITY) == INFINITY);
  assert_true(isnan(mt_larger(NAN, 1)));
  assert_true(isnan(mt_larger(1, NAN)));
  assert_true(mt_larger(-INFINITY, -3) == -3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exp),
      cmocka_unit_test(test_log),
      cmocka_unit_test(test_normal),
      cmocka_unit_test(test_relu_and_larger),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
