/*
** test_cpu_more.c - activations, copy, fill, sort, random numbers, blur, sobel,
** life: each way against a plain computation in double.
**
** Guards: cpu/: activations, copy, fill, sort, random numbers, blur, sobel,
** life; cpu/{elementwise, image, random, sort}.c
*/
#include "tests/c/cpu/cpu_case.h"

static void expect(Case *c, int out, size_t i, double value, double slack) {
  c->expected[out].value[i] = value;
  c->expected[out].slack[i] = slack + (double)FLT_TRUE_MIN;
}

/* -------------------------------------------------------------- activations */

static double activation(int which, double v) {
  double u = 0.7978845608 * (v + 0.044715 * v * v * v);
  switch (which) {
    case 0: return 1 / (1 + exp(-v));
    case 1: return tanh(v);
    case 2: return 0.5 * v * (1 + tanh(u));
    default: return v / (1 + exp(-v));
  }
}

static void test_activations(void **state) {
  (void)state;
  for (int which = 0; which < 4; which++)
    for (size_t l = 0; l < LENGTHS; l++) {
      Case c;
      case_open(&c, "activations");
      c.call.option[0] = which;
      float *x = case_vector(&c, 0, lengths[l], which == 1 ? SPECIAL : UNIT);
      for (size_t i = 0; i < lengths[l]; i++) x[i] *= i % 3 ? 8.0f : 0.01f;
      case_plan(&c);
      for (size_t i = 0; i < lengths[l]; i++) {
        double v = (double)x[i], want = activation(which, v);
        /* gelu subtracts from 1, so small answers are off by roundings of 1 */
        double slack =
            which == 2 ? (fabs(v) + 1) * 16 * U : fabs(want) * 16 * U;
        expect(&c, 1, i, want, slack);
      }
      case_verify(&c, 0);
    }
}

static void test_which(void **state) {
  (void)state;
  Case c;
  mt_Error err;
  double seconds;
  case_open(&c, "activations");
  c.call.option[0] = 4;
  case_vector(&c, 0, 3, UNIT);
  case_plan(&c);
  assert_int_equal(mt_cpu_run(&c.call, &seconds, &err), MT_BADARG);
  assert_non_null(strstr(err.text, "0 sigmoid, 1 tanh, 2 gelu or 3 silu"));
  case_close(&c);
}

/* ------------------------------------------------------------ copy and fill */

static void test_copy(void **state) {
  (void)state;
  for (size_t l = 0; l < LENGTHS; l++) {
    Case c;
    case_open(&c, "copy");
    float *x = case_vector(&c, 0, lengths[l], SPECIAL);
    case_plan(&c);
    for (size_t i = 0; i < lengths[l]; i++) expect(&c, 1, i, (double)x[i], 0);
    case_verify(&c, 0);
  }
}

static void test_fill(void **state) {
  (void)state;
  for (size_t l = 0; l < LENGTHS; l++) {
    Case c;
    case_open(&c, "fill");
    c.call.number[0] = -2.5;
    c.call.option[0] = (double)lengths[l];
    case_plan(&c);
    assert_int_equal(mt_cpu_count(&c.call.array[1]), lengths[l]);
    for (size_t i = 0; i < lengths[l]; i++) expect(&c, 1, i, -2.5, 0);
    case_verify(&c, 0);
  }
}

/* -------------------------------------------------------------------- sort */

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  if (isnan(x) || isnan(y)) return isnan(x) - isnan(y); /* NaN goes last */
  return x < y ? -1 : x > y;
}

static void expect_sorted(Case *c, size_t n) {
  double *list = calloc(n + 1, sizeof *list);
  for (size_t i = 0; i < n; i++) list[i] = element(&c->call.array[0], i);
  qsort(list, n, sizeof *list, by_value);
  for (size_t i = 0; i < n; i++) expect(c, 1, i, list[i], 0);
  free(list);
}

static void test_sort(void **state) {
  (void)state;
  for (Fill fill = ZEROS; fill < FILLS; fill++)
    for (size_t l = 0; l < LENGTHS; l++) {
      Case c;
      case_open(&c, "sort");
      case_vector(&c, 0, lengths[l], fill);
      case_plan(&c);
      expect_sorted(&c, lengths[l]);
      case_verify(&c, 0);
    }
}

static void test_sort_whole(void **state) {
  static const uint32_t below[] = {0, 1, 255, 70000, UINT32_MAX};
  (void)state;
  for (int b = 0; b < 5; b++)
    for (int type = 0; type < 2; type++)
      for (size_t l = 0; l < LENGTHS; l++) {
        Case c;
        case_open(&c, "sort");
        case_words(&c, 0, type ? MT_INT : MT_UINT, lengths[l], below[b]);
        case_plan(&c);
        expect_sorted(&c, lengths[l]);
        case_verify(&c, 0);
      }
}

/* In order, backwards, in steps: what merges like best and least. */
static void test_sort_patterns(void **state) {
  (void)state;
  for (int pattern = 0; pattern < 4; pattern++) {
    size_t n = 100003;
    Case c;
    case_open(&c, "sort");
    float *x = case_vector(&c, 0, n, ZEROS);
    for (size_t i = 0; i < n; i++)
      x[i] = pattern == 0   ? (float)i
             : pattern == 1 ? -(float)i
             : pattern == 2 ? (float)(i % 7)
                            : (float)((i * 7919) % n);
    case_plan(&c);
    expect_sorted(&c, n);
    case_verify(&c, 0);
  }
}

/* ---------------------------------------------------------- random numbers */

static void philox(uint32_t counter, uint32_t key, uint32_t out[2]) {
  uint32_t x = counter, y = 0;
  for (int round = 0; round < 10; round++) {
    uint32_t high = (uint32_t)(((uint64_t)x * 0xd256d193u) >> 32);
    uint32_t low = x * 0xd256d193u;
    x = high ^ key ^ y;
    y = low;
    key += 0x9e3779b9u;
  }
  out[0] = x;
  out[1] = y;
}

static void random_case(const char *name, size_t n, uint32_t seed) {
  bool normal = strcmp(name, "random_normal") == 0;
  Case c;
  case_open(&c, name);
  c.call.option[0] = (double)n;
  c.call.option[1] = seed;
  case_plan(&c);
  for (size_t i = 0; i < n; i++) {
    uint32_t v[2];
    philox((uint32_t)(i / 2), seed, v);
    double radius = sqrt(-2 * log(((v[0] >> 8) + 1) * 0x1p-24));
    double angle = (v[1] >> 8) * 0x1p-24 * 6.283185307179586;
    if (normal)
      expect(&c, 0, i, radius * (i % 2 ? sin(angle) : cos(angle)), 3e-6);
    else expect(&c, 0, i, (v[i % 2] >> 8) * 0x1p-24, 0);
  }
  case_verify(&c, 0);
}

static void test_random(void **state) {
  (void)state;
  for (size_t l = 0; l < LENGTHS; l++) {
    random_case("random_uniform", lengths[l], 42);
    random_case("random_normal", lengths[l], 0xffffffffu);
  }
}

static void test_random_refuses(void **state) {
  (void)state;
  Case c;
  mt_Error err;
  case_open(&c, "random_normal");
  c.call.option[1] = 0x1p32;
  assert_int_equal(mt_cpu_check(&c.call, &err), MT_BADARG);
  assert_non_null(strstr(err.text, "seed must fit a uint"));
  case_open(&c, "random_uniform");
  case_vector(&c, 0, 5, ZEROS);
  c.call.option[0] = 6;
  c.call.chosen[0] = true;
  assert_int_equal(mt_cpu_check(&c.call, &err), MT_BADARG);
  assert_non_null(strstr(err.text, "y has 5 elements, but the option says 6"));
  case_close(&c);
}

/* ----------------------------------------------------------------- images */

static const size_t sizes[][2] = {{1, 1},     {1, 2},     {2, 1},   {3, 3},
                                  {1, 67},    {129, 1},   {17, 31}, {64, 64},
                                  {200, 333}, {1031, 129}};
#define SIZES (sizeof sizes / sizeof sizes[0])

static size_t clamp(ptrdiff_t at, size_t n) {
  return at < 0 ? 0 : (size_t)at >= n ? n - 1 : (size_t)at;
}

static void test_blur(void **state) {
  static const double weight[5] = {1, 4, 6, 4, 1};
  static const size_t channels[] = {1, 3, 4};
  (void)state;
  for (size_t s = 0; s < SIZES; s++)
    for (int k = 0; k < 3; k++) {
      size_t n = sizes[s][0], m = sizes[s][1], ch = channels[k],
             shape[3] = {n, m, ch};
      Case c;
      case_open(&c, "blur");
      case_shape(&c, 0, MT_FLOAT, 3, shape);
      float *x = c.call.array[0].data;
      for (size_t i = 0; i < n * m * ch; i++) x[i] = fill_value(UNIT);
      case_plan(&c);
      for (size_t i = 0; i < n * m * ch; i++) {
        ptrdiff_t r = (ptrdiff_t)(i / ch / m), q = (ptrdiff_t)(i / ch % m);
        double sum = 0;
        for (int dy = 0; dy < 5; dy++)
          for (int dx = 0; dx < 5; dx++)
            sum +=
                weight[dy] * weight[dx] *
                (double)
                    x[(clamp(r + dy - 2, n) * m + clamp(q + dx - 2, m)) * ch +
                      i % ch];
        expect(&c, 1, i, sum / 256, 8 * U);
      }
      case_verify(&c, 0);
    }
}

static void test_sobel(void **state) {
  (void)state;
  for (size_t s = 0; s < SIZES; s++) {
    size_t n = sizes[s][0], m = sizes[s][1];
    Case c;
    case_open(&c, "sobel");
    float *x = case_matrix(&c, 0, n, m, UNIT);
    case_plan(&c);
    for (size_t i = 0; i < n * m; i++) {
      ptrdiff_t r = (ptrdiff_t)(i / m), q = (ptrdiff_t)(i % m);
      double across = 0, along = 0;
      for (int d = -1; d <= 1; d++) {
        double w = d ? 1 : 2;
        across += w * (double)(x[clamp(r + d, n) * m + clamp(q + 1, m)] -
                               x[clamp(r + d, n) * m + clamp(q - 1, m)]);
        along += w * (double)(x[clamp(r + 1, n) * m + clamp(q + d, m)] -
                              x[clamp(r - 1, n) * m + clamp(q + d, m)]);
      }
      expect(&c, 1, i, sqrt(across * across + along * along), 32 * U);
    }
    case_verify(&c, 0);
  }
}

static void test_life(void **state) {
  (void)state;
  for (size_t s = 0; s < SIZES; s++) {
    size_t n = sizes[s][0], m = sizes[s][1];
    Case c;
    case_open(&c, "life");
    case_shape(&c, 0, MT_UCHAR, 2, sizes[s]);
    uint8_t *x = c.call.array[0].data;
    for (size_t i = 0; i < n * m; i++) x[i] = case_random() < 0.4;
    case_plan(&c);
    for (size_t i = 0; i < n * m; i++) {
      size_t r = i / m, q = i % m;
      int count = -(int)x[i];
      for (size_t dr = 0; dr < 3; dr++)
        for (size_t dq = 0; dq < 3; dq++)
          count += x[(r + n + dr - 1) % n * m + (q + m + dq - 1) % m];
      expect(&c, 1, i, count == 3 || (x[i] && count == 2), 0);
    }
    case_verify(&c, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_activations), cmocka_unit_test(test_which),
      cmocka_unit_test(test_copy),        cmocka_unit_test(test_fill),
      cmocka_unit_test(test_sort),        cmocka_unit_test(test_sort_whole),
      cmocka_unit_test(test_sort_patterns), cmocka_unit_test(test_random),
      cmocka_unit_test(test_random_refuses), cmocka_unit_test(test_blur),
      cmocka_unit_test(test_sobel),       cmocka_unit_test(test_life),
  };
  return cmocka_run_group_tests_name("cpu, more", tests, find_module, NULL);
}
