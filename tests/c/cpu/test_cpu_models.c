/*
** test_cpu_models.c - nbody and blackscholes against double, mandelbrot against
** float step by step.
**
** Guards: cpu/mandelbrot.c: every count, as float gives it step by step;
** cpu/models.c: nbody, blackscholes
*/
#include "tests/c/cpu/cpu_case.h"

static void expect(Case *c, int out, size_t i, double value, double slack) {
  c->expected[out].value[i] = value;
  c->expected[out].slack[i] = slack;
}

/* -------------------------------------------------------------- mandelbrot */

/* In float, each operation rounded on its own (a volatile is never part of a
** fused multiply-add), as the steps are written in cpu/mandelbrot.c. */
static float times(float a, float b) {
  volatile float p = a * b;
  return p;
}

static uint32_t escape(float x, float y, uint32_t steps) {
  float re = 0, im = 0;
  uint32_t n = 0;
  while (n < steps) {
    float xx = times(re, re), yy = times(im, im), xy = times(re, im);
    if (!(xx + yy <= 4)) break;
    re = (xx - yy) + x;
    im = (xy + xy) + y;
    n++;
  }
  return n;
}

static uint32_t escape_exactly(double x, double y, uint32_t steps) {
  double re = 0, im = 0;
  uint32_t n = 0;
  while (n < steps && hypot(re, im) <= 2) {
    double next = re * re - im * im + x;
    im = 2 * re * im + y;
    re = next;
    n++;
  }
  return n;
}

/* Every count, whatever the compiler and the CPU; and most are those of double:
** float errs only near the border. */
static void mandelbrot_case(size_t rows, size_t columns, uint32_t steps) {
  Case c;
  const double option[] = {(double)rows, (double)columns, -0.7, 0.1, 2.5,
                           steps};
  double side = 2.5 / (double)columns, x0 = -0.7 - side * (columns - 1.0) / 2;
  double y0 = 0.1 - side * (rows - 1.0) / 2;
  size_t others = 0;
  case_open(&c, "mandelbrot");
  memcpy(c.call.option, option, sizeof option);
  case_plan(&c);
  for (size_t i = 0; i < rows * columns; i++) {
    size_t column = i % columns, row = i / columns;
    float x = (float)x0 + times((float)column, (float)side);
    float y = (float)y0 + times((float)row, (float)side);
    uint32_t n = escape(x, y, steps);
    others += n != escape_exactly(x0 + side * (double)column,
                                  y0 + side * (double)row, steps);
    expect(&c, 0, i, n, 0);
  }
  assert_true(others <= rows * columns / 20);
  case_verify(&c, 0);
}

static void test_mandelbrot(void **state) {
  static const size_t shapes[][2] = {{1, 1}, {3, 5}, {17, 16}, {64, 97}};
  static const uint32_t steps[] = {0, 1, 7, 8, 50, 300, 1001};
  (void)state;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
    for (size_t t = 0; t < sizeof steps / sizeof *steps; t++)
      mandelbrot_case(shapes[s][0], shapes[s][1], steps[t]);
}

/* A row that lies on the real axis: -2 and 0 never leave, 1 does at once. */
static void test_mandelbrot_axis(void **state) {
  Case c;
  mt_Error err;
  double t;
  (void)state;
  case_open(&c, "mandelbrot");
  const double option[] = {1, 4, -0.5, 0, 4, 1000}; /* -2, -1, 0, 1 */
  memcpy(c.call.option, option, sizeof option);
  case_plan(&c);
  assert_int_equal(mt_cpu_run(&c.call, &t, &err), MT_OK);
  const uint32_t *n = c.call.array[0].data;
  assert_int_equal(n[0], 1000);
  assert_int_equal(n[1], 1000);
  assert_int_equal(n[2], 1000);
  assert_int_equal(n[3], 3); /* 0, 1, 2, then 5 */
  case_close(&c);
}

/* ------------------------------------------------------------------- nbody */

static void test_nbody(void **state) {
  static const size_t counts[] = {0, 1, 2, 3, 15, 16, 17, 255, 257, 601};
  static const double soft[] = {0.05, 0};
  (void)state;
  for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++)
    for (int s = 0; s < 2; s++) {
      Case c;
      size_t n = counts[k];
      double dt = 0.125, e = (float)soft[s];
      case_open(&c, "nbody");
      float *p = case_matrix(&c, 0, n, 4, UNIT);
      float *v = case_matrix(&c, 1, n, 4, UNIT);
      c.call.option[0] = dt;
      c.call.option[1] = e;
      case_plan(&c);
      for (size_t i = 0; i < n; i++) {
        double pull[3] = {0}, size = 0;
        for (size_t j = 0; j < n; j++) {
          double d[3], r2 = e * e;
          for (int a = 0; a < 3; a++) {
            d[a] = (double)p[4 * j + a] - p[4 * i + a];
            r2 += d[a] * d[a];
          }
          if (i == j) continue;
          double f = p[4 * j + 3] / (r2 * sqrt(r2));
          for (int a = 0; a < 3; a++) pull[a] += d[a] * f;
          size += fabs(f) * sqrt(r2);
        }
        /* differences, then a root and products: about 10 roundings a term,
        ** and up to 256 additions */
        double slack = dt * size * 270 * U + 4 * U;
        for (int a = 0; a < 3; a++) {
          double speed = v[4 * i + a] + dt * pull[a];
          expect(&c, 3, 4 * i + a, speed, slack + fabs(speed) * 2 * U);
          expect(&c, 2, 4 * i + a, p[4 * i + a] + dt * speed,
                 slack + fabs(speed) * 4 * U);
        }
        expect(&c, 2, 4 * i + 3, p[4 * i + 3], 0);
        expect(&c, 3, 4 * i + 3, v[4 * i + 3], 0);
      }
      case_verify(&c, 1);
    }
}

/* ------------------------------------------------------------ blackscholes */

static double below(double x) { return 0.5 * erfc(-x / sqrt(2)); }

static void test_blackscholes(void **state) {
  (void)state;
  for (size_t l = 0; l < 15; l++) {
    Case c;
    size_t n = lengths[l];
    double r = (double)0.03f, v = (double)0.25f;
    case_open(&c, "blackscholes");
    float *s = case_vector(&c, 0, n, POSITIVE);
    float *k = case_vector(&c, 1, n, POSITIVE);
    float *t = case_vector(&c, 2, n, POSITIVE);
    for (size_t i = 0; i < n; i++) s[i] *= 100, k[i] *= 100, t[i] *= 10;
    c.call.option[0] = r;
    c.call.option[1] = v;
    case_plan(&c);
    for (size_t i = 0; i < n; i++) {
      double d1 = (log((double)s[i] / k[i]) + (r + v * v / 2) * t[i]) /
                  (v * sqrt((double)t[i]));
      double d2 = d1 - v * sqrt((double)t[i]);
      double later = k[i] * exp(-r * t[i]);
      /* the distribution is good to 3e-7, and so are the roundings of d */
      double slack = 6e-7 * ((double)s[i] + later);
      expect(&c, 3, i, s[i] * below(d1) - later * below(d2), slack);
      expect(&c, 4, i, later * below(-d2) - s[i] * below(-d1), slack);
    }
    case_verify(&c, 1);
  }
}

static void test_blackscholes_limits(void **state) {
  Case c;
  mt_Error err;
  double seconds;
  (void)state;
  case_open(&c, "blackscholes");
  float *s = case_vector(&c, 0, 4, UNIT);
  float *k = case_vector(&c, 1, 4, UNIT);
  float *t = case_vector(&c, 2, 4, UNIT);
  const float prices[] = {100, 50, 100, NAN}, strikes[] = {50, 100, 100, 1};
  const float years[] = {0, 0, 1e-10f, 1};
  memcpy(s, prices, sizeof prices);
  memcpy(k, strikes, sizeof strikes);
  memcpy(t, years, sizeof years);
  case_plan(&c);
  assert_int_equal(mt_cpu_run(&c.call, &seconds, &err), MT_OK);
  const float *call = c.call.array[3].data, *put = c.call.array[4].data;
  assert_true(call[0] == 50 && put[0] == 0); /* today: what it is worth */
  assert_true(call[1] == 0 && put[1] == 50);
  assert_true(fabsf(call[2]) < 1e-2f && fabsf(put[2]) < 1e-2f);
  assert_true(isnan(call[3]) && isnan(put[3]));
  case_close(&c);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_mandelbrot),
      cmocka_unit_test(test_mandelbrot_axis),
      cmocka_unit_test(test_nbody),
      cmocka_unit_test(test_blackscholes),
      cmocka_unit_test(test_blackscholes_limits),
  };
  return cmocka_run_group_tests(tests, find_module, NULL);
}
