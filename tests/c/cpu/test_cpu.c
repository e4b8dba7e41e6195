/*
** test_cpu.c - every CPU reference in every way against a plain computation in
** double (long double for sums), written in another order than cpu/ has.
**
** Slack. A sum of n float terms in any order is within n·u·Σ|term| of the exact
** one (u: one rounding); that bound is used for the vendor's. Our own sums run
** in double or by blocks of 256, so they are held to one rounding of the result
** where they run in double, and to (256 + n/256)·u·Σ|term| where by blocks.
**
** Guards: cpu/: every reference, way and number of threads against double, on
** sizes that find edges; cpu/{attention, elementwise, matrix, reduce, rows,
** run, scan, sort, window}.c
*/
#include "tests/c/cpu/cpu_case.h"

static void expect(Case *c, int out, size_t i, double value, double slack) {
  c->expected[out].value[i] = value;
  c->expected[out].slack[i] = slack + (double)FLT_TRUE_MIN;
}

static double blocks(size_t n) { return (double)(n < 256 ? n : 256 + n / 256); }

/* What a vendor may be off more than our own: its n against our bound. */
static double looser(size_t n) { return 1 + (double)n; }

/* -------------------------------------------------------------- elementwise */

static double apply(const char *name, double a, double b) {
  return name[0] == 'a' ? a + b : name[0] == 's' ? a - b : a * b;
}

static void test_binary(void **state) {
  static const char *const names[] = {"add", "sub", "mul"};
  (void)state;
  for (int f = 0; f < 3; f++)
    for (size_t l = 0; l < LENGTHS; l++)
      for (Fill fill = ZEROS; fill < FILLS; fill++) {
        Case c;
        case_open(&c, names[f]);
        float *a = case_vector(&c, 0, lengths[l], fill);
        float *b = case_vector(&c, 1, lengths[l], fill);
        case_plan(&c);
        for (size_t i = 0; i < lengths[l]; i++) {
          double want = apply(names[f], a[i], b[i]);
          expect(&c, 2, i, want, fabs(want) * U);
        }
        case_verify(&c, 1);
      }
}

static void test_binary_ints(void **state) {
  static const char *const names[] = {"add", "sub", "mul"};
  (void)state;
  for (int f = 0; f < 3; f++)
    for (int s = 0; s < 2; s++) {
      Case c;
      mt_Scalar type = s ? MT_INT : MT_UINT;
      case_open(&c, names[f]);
      uint32_t *a = case_words(&c, 0, type, 1009, UINT32_MAX);
      uint32_t *b = case_words(&c, 1, type, 1009, UINT32_MAX);
      case_plan(&c);
      for (size_t i = 0; i < 1009; i++) {
        uint64_t x = a[i], y = b[i];
        uint64_t r = f == 0 ? x + y : f == 1 ? x - y : x * y;
        expect(&c, 2, i, s ? (double)(int32_t)r : (double)(uint32_t)r, 0);
      }
      case_verify(&c, 0);
    }
}

static void test_saxpy(void **state) {
  static const double factors[] = {0.5, -3, 1e10, 0};
  (void)state;
  for (int k = 0; k < 4; k++)
    for (size_t l = 0; l < LENGTHS; l++)
      for (Fill fill = ZEROS; fill < FILLS; fill++) {
        Case c;
        case_open(&c, "saxpy");
        c.call.number[0] = factors[k];
        float *x = case_vector(&c, 1, lengths[l], fill);
        float *y = case_vector(&c, 2, lengths[l], fill);
        case_plan(&c);
        for (size_t i = 0; i < lengths[l]; i++) {
          double p = factors[k] * x[i];
          expect(&c, 3, i, p + y[i], 2 * U * (fabs(p) + fabs(y[i])));
        }
        /* BLAS does nothing for a factor of 0, not even 0 · NaN */
        case_verify(&c, factors[k] == 0 && fill == SPECIAL ? 0 : 1);
      }
}

static void test_relu(void **state) {
  (void)state;
  for (size_t l = 0; l < LENGTHS; l++)
    for (Fill fill = ZEROS; fill < FILLS; fill++) {
      Case c;
      case_open(&c, "relu");
      float *x = case_vector(&c, 0, lengths[l], fill);
      case_plan(&c);
      for (size_t i = 0; i < lengths[l]; i++)
        expect(&c, 1, i, isnan(x[i]) ? NAN : fmax(x[i], 0), 0);
      case_verify(&c, 1);
    }
}

static void test_exp(void **state) {
  (void)state;
  for (size_t l = 0; l < LENGTHS; l++) {
    Case c;
    case_open(&c, "exp");
    float *x = case_vector(&c, 0, lengths[l], SPECIAL);
    for (size_t i = 0; i < lengths[l]; i++) x[i] *= 120; /* both ends */
    case_plan(&c);
    for (size_t i = 0; i < lengths[l]; i++) {
      double want = exp((double)x[i]);
      expect(&c, 1, i, want, fabs(want) * 3 * U);
    }
    case_verify(&c, 2);
  }
}

/* An output that is one of the inputs gives the same as one of its own. */
static void test_in_place(void **state) {
  static const char *const names[] = {"add", "sub", "mul", "saxpy", "relu",
                                      "exp", "scan", "softmax"};
  (void)state;
  for (size_t f = 0; f < sizeof names / sizeof names[0]; f++)
    for (int way = 0; way < MT_CPU_WAYS; way++)
      for (int target = 0; target < 2; target++) {
        Case c;
        mt_Error err;
        double t;
        size_t n = 70001;
        case_open(&c, names[f]);
        if (mt_cpu_can(c.call.ref, (mt_CpuWay)way, NULL) != MT_OK) continue;
        const mt_CpuArg *args = mt_cpu_args(c.call.ref);
        int in[2], ins = 0, out = 0;
        for (int i = 0; args[i].role; i++) {
          if (args[i].role == MT_CPU_NUMBER) c.call.number[i] = 0.25;
          if (args[i].role == MT_CPU_OUT) out = i;
          if (args[i].role != MT_CPU_IN) continue;
          case_vector(&c, i, n, UNIT);
          in[ins++] = i;
        }
        if (target < ins) {
          c.call.way = (mt_CpuWay)way;
          case_plan(&c);
          assert_int_equal(mt_cpu_run(&c.call, &t, &err), MT_OK);
          void *apart = c.call.array[out].data;
          c.call.array[out].data = c.call.array[in[target]].data;
          assert_int_equal(mt_cpu_check(&c.call, &err), MT_OK);
          assert_int_equal(mt_cpu_run(&c.call, &t, &err), MT_OK);
          assert_memory_equal(apart, c.call.array[out].data, n * 4);
          c.call.array[out].data = apart;
        }
        case_close(&c);
      }
}

/* --------------------------------------------------------------- reductions */

static void test_sum_mean_dot(void **state) {
  (void)state;
  for (int f = 0; f < 3; f++)
    for (size_t l = 0; l < LENGTHS; l++)
      for (Fill fill = ZEROS; fill < FILLS; fill++) {
        static const char *const names[] = {"sum", "mean", "dot"};
        Case c;
        size_t n = lengths[l];
        case_open(&c, names[f]);
        float *x = case_vector(&c, 0, n, fill);
        float *y = f == 2 ? case_vector(&c, 1, n, fill) : NULL;
        case_plan(&c);
        long double sum = 0, size = 0;
        for (size_t i = n; i-- > 0;) {
          long double term = f == 2 ? (long double)x[i] * y[i] : x[i];
          sum += term;
          size += fabsl(term);
        }
        if (f == 1) sum /= n, size /= n;
        /* one rounding to float, and those in double: 2^-52 each */
        double slack = (double)fabsl(sum) * U + (double)size * n * 0x1p-52;
        if (n == 0) slack = 0;
        expect(&c, f == 2 ? 2 : 1, 0, f == 1 && n == 0 ? NAN : (double)sum,
               slack);
        /* the vendor's: relative to the terms' size, not to the sum's */
        double more = slack > 0 ? (double)n * U * (double)size / slack + 1 : 1;
        case_verify(&c, isfinite(more) ? more : 1);
      }
}

static void test_sum_is_good(void **state) {
  size_t n = 10000019;
  mt_Error err;
  double t;
  (void)state;
  Case c;
  case_open(&c, "sum");
  case_vector(&c, 0, n, ZEROS);
  float *x = c.call.array[0].data;
  for (size_t i = 0; i < n; i++) x[i] = 0.1f;
  case_plan(&c);
  assert_int_equal(mt_cpu_run(&c.call, &t, &err), MT_OK);
  assert_float_equal(*(float *)c.call.array[1].data, (double)n * (double)0.1f,
                     0.05); /* half an ulp; naive float is off by 80,000 */
  case_close(&c);
}

static void test_sum_ints(void **state) {
  (void)state;
  for (int s = 0; s < 2; s++)
    for (int wide = 0; wide < 2; wide++)
      for (size_t l = 0; l < LENGTHS; l++) {
        Case c;
        size_t n = lengths[l], one = 1;
        case_open(&c, "sum");
        uint32_t *x = case_words(&c, 0, s ? MT_INT : MT_UINT, n, UINT32_MAX);
        if (!wide) case_shape(&c, 1, s ? MT_INT : MT_UINT, 1, &one);
        case_plan(&c);
        int64_t sum = 0;
        for (size_t i = 0; i < n; i++) sum += s ? (int32_t)x[i] : (int64_t)x[i];
        double narrow = s ? (double)(int32_t)sum : (double)(uint32_t)sum;
        expect(&c, 1, 0, wide ? (double)sum : narrow, 0);
        case_verify(&c, 0);
      }
}

static void test_max(void **state) {
  (void)state;
  for (size_t l = 0; l < LENGTHS; l++)
    for (Fill fill = ZEROS; fill <= FILLS; fill++) {
      Case c;
      size_t n = lengths[l];
      double want = -INFINITY;
      case_open(&c, "max");
      float *x = case_vector(&c, 0, n, fill == FILLS ? UNIT : fill);
      if (fill == FILLS) { /* one NaN, somewhere */
        if (n) x[(size_t)(case_random() * (double)n)] = NAN;
      }
      case_plan(&c);
      for (size_t i = 0; i < n; i++)
        want = isnan(x[i]) || isnan(want) ? NAN : x[i] > want ? x[i] : want;
      expect(&c, 1, 0, want, 0);
      case_verify(&c, 1);
    }
}

static void test_max_ints(void **state) {
  (void)state;
  for (int s = 0; s < 2; s++)
    for (size_t l = 0; l < LENGTHS; l++) {
      Case c;
      case_open(&c, "max");
      uint32_t *x = case_words(&c, 0, s ? MT_INT : MT_UINT, lengths[l],
                               UINT32_MAX);
      case_plan(&c);
      double want = s ? INT32_MIN : 0;
      for (size_t i = 0; i < lengths[l]; i++) {
        double v = s ? (double)(int32_t)x[i] : (double)x[i];
        if (v > want) want = v;
      }
      expect(&c, 1, 0, want, 0);
      case_verify(&c, 0);
    }
}

/* ----------------------------------------------------------------- matrices */

/* n, k, m: nothing, one, edges of the 6 × 16 blocks, of tiles, of 256 */
static const size_t sizes[][3] = {
    {0, 3, 4},    {3, 0, 4},   {3, 4, 0},    {1, 1, 1},     {2, 3, 1},
    {5, 7, 15},   {6, 8, 16},  {7, 9, 17},   {1, 300, 33},  {33, 300, 1},
    {13, 255, 3}, {3, 257, 5}, {97, 31, 129}, {95, 64, 127}, {101, 513, 67}};
#define SIZES (sizeof sizes / sizeof sizes[0])

static void product(const float *a, const float *b, size_t k, size_t m,
                    size_t i, size_t j, double *sum, double *size) {
  long double s = 0;
  *size = 0;
  for (size_t p = k; p-- > 0;) {
    s += (long double)a[i * k + p] * b[p * m + j];
    *size += fabs((double)a[i * k + p] * b[p * m + j]);
  }
  *sum = (double)s;
}

static void test_matmul_linear(void **state) {
  (void)state;
  for (int layer = 0; layer < 2; layer++)
    for (size_t z = 0; z < SIZES; z++)
      for (Fill fill = ZEROS; fill < FILLS; fill++) {
        Case c;
        size_t n = sizes[z][0], k = sizes[z][1], m = sizes[z][2];
        case_open(&c, layer ? "linear" : "matmul");
        float *a = case_matrix(&c, 0, n, k, fill);
        float *b = case_matrix(&c, 1, k, m, fill);
        float *bias = layer ? case_vector(&c, 2, m, UNIT) : NULL;
        case_plan(&c);
        for (size_t i = 0; i < n; i++)
          for (size_t j = 0; j < m; j++) {
            double sum, size;
            product(a, b, k, m, i, j, &sum, &size);
            if (layer) {
              sum += bias[j];
              size += fabs(bias[j]);
              if (sum < 0) sum = 0;
            }
            expect(&c, layer ? 3 : 2, i * m + j, sum,
                   (blocks(k) + 2) * U * size);
          }
        case_verify(&c, looser(k) / blocks(k + 1));
      }
}

/* Long sums in float lose digits unless they are cut into blocks. */
static void test_matmul_is_good(void **state) {
  size_t k = 1000003;
  mt_Error err;
  double t;
  Case c;
  (void)state;
  case_open(&c, "matmul");
  float *a = case_matrix(&c, 0, 1, k, ZEROS);
  float *b = case_matrix(&c, 1, k, 1, ZEROS);
  for (size_t i = 0; i < k; i++) a[i] = 0.1f, b[i] = 1;
  case_plan(&c);
  assert_int_equal(mt_cpu_run(&c.call, &t, &err), MT_OK);
  double want = (double)k * (double)0.1f, got = *(float *)c.call.array[2].data;
  assert_true(fabs(got - want) < 2e-4 * want); /* plain float: 9e-3 */
  case_close(&c);
}

static void test_transpose(void **state) {
  static const size_t shapes[][2] = {{0, 5}, {5, 0}, {1, 1},   {1, 100},
                                     {100, 1}, {3, 7}, {63, 65}, {64, 64},
                                     {127, 257}, {1000, 33}};
  (void)state;
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
    Case c;
    size_t n = shapes[s][0], m = shapes[s][1];
    case_open(&c, "transpose");
    float *a = case_matrix(&c, 0, n, m, SPECIAL);
    case_plan(&c);
    for (size_t i = 0; i < n * m; i++) {
      expect(&c, 1, i % m * n + i / m, a[i], 0);
    }
    case_verify(&c, 1);
  }
}

static void test_attention(void **state) {
  static const size_t shapes[][4] = {/* n, d, m, e */
                                     {1, 1, 1, 1},   {2, 3, 5, 7},
                                     {0, 4, 4, 4},   {17, 16, 33, 15},
                                     {97, 8, 97, 9}, {101, 64, 301, 64}};
  (void)state;
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
    for (int causal = 0; causal < 2; causal++)
      for (int scaled = 0; scaled < 2; scaled++) {
        Case c;
        size_t n = shapes[s][0], d = shapes[s][1];
        size_t m = shapes[s][2], e = shapes[s][3];
        case_open(&c, "attention");
        float *q = case_matrix(&c, 0, n, d, UNIT);
        float *k = case_matrix(&c, 1, m, d, UNIT);
        float *v = case_matrix(&c, 2, m, e, UNIT);
        c.call.option[0] = causal;
        c.call.option[1] = scaled ? 20 : 0;
        double scale = scaled ? 20 : 1 / sqrt((double)d);
        case_plan(&c);
        double *w = malloc(m * sizeof *w);
        for (size_t i = 0; i < n; i++) {
          size_t seen = causal && i + 1 < m ? i + 1 : m;
          double total = 0;
          for (size_t j = 0; j < seen; j++) {
            double dot = 0;
            for (size_t p = 0; p < d; p++)
              dot += (double)q[i * d + p] * k[j * d + p];
            total += w[j] = exp(dot * scale);
          }
          for (size_t x = 0; x < e; x++) {
            double sum = 0;
            for (size_t j = 0; j < seen; j++)
              sum += w[j] / total * v[j * e + x];
            /* scores up to 'scale · d' carry its rounding into exp; values are
            ** at most 1 and weights add up to 1 */
            expect(&c, 3, i * e + x, sum,
                   U * (4 * scale * (double)d * sqrt((double)d) + 20));
          }
        }
        free(w);
        case_verify(&c, 2);
      }
}

/* ---------------------------------------------------------- scan, histogram */

static void test_scan(void **state) {
  (void)state;
  for (int exclusive = 0; exclusive < 2; exclusive++)
    for (size_t l = 0; l < LENGTHS; l++)
      for (Fill fill = ZEROS; fill < FILLS; fill++) {
        Case c;
        size_t n = lengths[l];
        case_open(&c, "scan");
        float *x = case_vector(&c, 0, n, fill);
        c.call.option[0] = exclusive;
        case_plan(&c);
        long double sum = 0, size = 0;
        for (size_t i = 0; i < n; i++) {
          if (!exclusive) sum += x[i], size += fabsf(x[i]);
          double want = (double)sum;
          expect(&c, 1, i, want, fabs(want) * U + (double)(size * n * 0x1p-53));
          if (exclusive) sum += x[i], size += fabsf(x[i]);
        }
        case_verify(&c, 0);
      }
}

static void test_scan_ints(void **state) {
  (void)state;
  for (int s = 0; s < 2; s++)
    for (int exclusive = 0; exclusive < 2; exclusive++) {
      Case c;
      size_t n = 50021;
      case_open(&c, "scan");
      uint32_t *x = case_words(&c, 0, s ? MT_INT : MT_UINT, n, UINT32_MAX);
      c.call.option[0] = exclusive;
      case_plan(&c);
      uint64_t sum = 0;
      for (size_t i = 0; i < n; i++) {
        uint64_t v = exclusive ? sum : sum + x[i];
        expect(&c, 1, i, s ? (double)(int32_t)v : (double)(uint32_t)v, 0);
        sum += x[i];
      }
      case_verify(&c, 0);
    }
}

static void test_histogram(void **state) {
  static const size_t bins[] = {1, 2, 100, 256, 300};
  (void)state;
  for (size_t b = 0; b < 5; b++)
    for (size_t l = 0; l < LENGTHS; l++)
      for (int bytes = 0; bytes < 2; bytes++) {
        Case c;
        size_t n = lengths[l];
        case_open(&c, "histogram");
        if (bytes) {
          case_shape(&c, 0, MT_UCHAR, 1, &n);
          for (size_t i = 0; i < n; i++)
            ((uint8_t *)c.call.array[0].data)[i] =
                (uint8_t)(case_random() * 256);
        } else {
          uint32_t *x = case_words(&c, 0, MT_UINT, n, 310);
          if (n) x[n / 2] = UINT32_MAX; /* not in any bin */
        }
        c.call.option[0] = (double)bins[b];
        case_plan(&c);
        assert_int_equal(mt_cpu_count(&c.call.array[1]), bins[b]);
        for (size_t v = 0; v < bins[b]; v++) {
          double count = 0;
          for (size_t i = 0; i < n && l < 14; i++)
            count += (bytes ? ((uint8_t *)c.call.array[0].data)[i]
                            : ((uint32_t *)c.call.array[0].data)[i]) == v;
          expect(&c, 1, v, count, 0);
        }
        if (l >= 14) { /* too long to look for each bin */
          for (size_t i = 0; i < n; i++) {
            uint32_t v = bytes ? ((uint8_t *)c.call.array[0].data)[i]
                               : ((uint32_t *)c.call.array[0].data)[i];
            if (v < bins[b]) c.expected[1].value[v]++;
          }
        }
        case_verify(&c, 0);
      }
}

/* ------------------------------------------------------------------ windows */

/* Tap by tap, each asked whether it lies inside. */
static double tap(const float *x, size_t n, size_t m, size_t pad, size_t r,
                  size_t col) {
  bool inside = r >= pad && r < n + pad && col >= pad && col < m + pad;
  return inside ? x[(r - pad) * m + col - pad] : 0;
}

static void test_conv1d(void **state) {
  static const size_t shapes[][2] = {{1, 1},   {5, 1},    {5, 5},   {17, 3},
                                     {512, 7}, {513, 2},  {1025, 31},
                                     {2000, 300}, {3001, 513}};
  (void)state;
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
    for (size_t pad = 0; pad < 4; pad += 3)
      for (size_t stride = 1; stride < 4; stride++)
        for (Fill fill = ZEROS; fill < FILLS; fill++) {
          Case c;
          size_t n = shapes[s][0], k = shapes[s][1];
          case_open(&c, "conv1d");
          float *x = case_vector(&c, 0, n, fill);
          float *w = case_vector(&c, 1, k, fill == SPECIAL ? UNIT : fill);
          c.call.option[0] = (double)pad;
          c.call.option[1] = (double)stride;
          case_plan(&c);
          size_t p = (n + 2 * pad - k) / stride + 1;
          assert_int_equal(c.call.array[2].shape[0], p);
          for (size_t i = 0; i < p; i++) {
            double sum = 0, size = 0;
            for (size_t j = 0; j < k; j++) {
              size_t at = i * stride + j;
              double v = at >= pad && at < n + pad ? x[at - pad] : 0;
              sum += w[j] * v;
              size += fabs(w[j] * v);
            }
            expect(&c, 2, i, sum, (blocks(k) + 2) * U * size);
          }
          case_verify(&c, looser(k));
        }
}

static void test_conv2d(void **state) {
  static const size_t shapes[][4] = {{1, 1, 1, 1},  {3, 3, 3, 3},
                                     {7, 5, 2, 3},  {17, 33, 5, 5},
                                     {31, 600, 3, 1}, {40, 40, 1, 7},
                                     {20, 300, 2, 280}};
  (void)state;
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
    for (size_t pad = 0; pad < 3; pad++)
      for (size_t stride = 1; stride < 3; stride++) {
        Case c;
        size_t n = shapes[s][0], m = shapes[s][1];
        size_t k = shapes[s][2], l = shapes[s][3];
        case_open(&c, "conv2d");
        float *x = case_matrix(&c, 0, n, m, s == 3 ? SPECIAL : UNIT);
        float *w = case_matrix(&c, 1, k, l, UNIT);
        c.call.option[0] = (double)pad;
        c.call.option[1] = (double)stride;
        case_plan(&c);
        size_t p = c.call.array[2].shape[0], q = c.call.array[2].shape[1];
        assert_int_equal(p, (n + 2 * pad - k) / stride + 1);
        assert_int_equal(q, (m + 2 * pad - l) / stride + 1);
        for (size_t r = 0; r < p; r++)
          for (size_t col = 0; col < q; col++) {
            double sum = 0, size = 0;
            for (size_t j = 0; j < l; j++)
              for (size_t i = 0; i < k; i++) {
                double v = tap(x, n, m, pad, r * stride + i, col * stride + j);
                sum += w[i * l + j] * v;
                size += fabs(w[i * l + j] * v);
              }
            expect(&c, 2, r * q + col, sum, (blocks(k * l) + 2) * U * size);
          }
        case_verify(&c, looser(k * l));
      }
}

static void test_maxpool(void **state) {
  static const size_t shapes[][2] = {{3, 3}, {4, 6}, {17, 33}, {100, 63}};
  (void)state;
  for (size_t s = 0; s < 4; s++)
    for (size_t size = 1; size <= 3; size++)
      for (size_t stride = 0; stride < 4; stride++)
        for (Fill fill = ZEROS; fill < FILLS; fill++) {
          Case c;
          size_t n = shapes[s][0], m = shapes[s][1];
          case_open(&c, "maxpool");
          float *x = case_matrix(&c, 0, n, m, fill);
          c.call.option[0] = (double)size;
          c.call.option[1] = (double)stride;
          case_plan(&c);
          size_t step = stride ? stride : size, q = (m - size) / step + 1;
          assert_int_equal(c.call.array[1].shape[0], (n - size) / step + 1);
          for (size_t r = 0; r < (n - size) / step + 1; r++)
            for (size_t col = 0; col < q; col++) {
              double want = -INFINITY;
              for (size_t i = 0; i < size * size; i++) {
                double v = x[(r * step + i / size) * m + col * step + i % size];
                want = isnan(v) || isnan(want) ? NAN : fmax(v, want);
              }
              expect(&c, 1, r * q + col, want, 0);
            }
          case_verify(&c, 1);
        }
}

/* --------------------------------------------------------------------- rows */

static const size_t row_shapes[][2] = {
    {0, 3}, {3, 0}, {1, 1},   {1, 2},     {5, 3},      {3, 17},
    {100, 16}, {7, 129}, {33, 1009}, {2, 65537}, {1, 100003}};
#define ROW_SHAPES (sizeof row_shapes / sizeof row_shapes[0])

static void test_softmax(void **state) {
  static const float factor[] = {1, 100, 0};
  (void)state;
  for (size_t s = 0; s < ROW_SHAPES; s++)
    for (int f = 0; f < 3; f++)
      for (Fill fill = ZEROS; fill < FILLS; fill++) {
        Case c;
        size_t rows = row_shapes[s][0], n = row_shapes[s][1];
        case_open(&c, "softmax");
        float *x = case_matrix(&c, 0, rows, n, fill);
        for (size_t i = 0; i < rows * n; i++) x[i] *= factor[f];
        case_plan(&c);
        for (size_t r = 0; r < rows; r++) {
          const float *row = x + r * n;
          long double sum = 0, top = -INFINITY;
          bool nan = false; /* NaN, or infinity minus infinity, anywhere */
          for (size_t i = 0; i < n; i++) {
            nan = nan || isnan(row[i]) || row[i] == INFINITY;
            if (row[i] > top) top = row[i];
          }
          for (size_t i = 0; i < n; i++) sum += expl(row[i] - top);
          for (size_t i = 0; i < n; i++) {
            double want = nan ? NAN : (double)(expl(row[i] - top) / sum);
            /* x - largest is rounded, then exp, then the factor */
            double lost = fabs(row[i] - (double)top);
            expect(&c, 1, r * n + i, want,
                   want * U * (isfinite(lost) ? lost + 8 : 8));
          }
        }
        case_verify(&c, 1);
      }
}

static void test_layernorm(void **state) {
  (void)state;
  for (size_t s = 0; s < ROW_SHAPES; s++)
    for (int far = 0; far < 2; far++) {
      Case c;
      size_t rows = row_shapes[s][0], n = row_shapes[s][1];
      case_open(&c, "layernorm");
      float *x = case_matrix(&c, 0, rows, n, UNIT);
      float *gamma = case_vector(&c, 1, n, UNIT);
      float *beta = case_vector(&c, 2, n, UNIT);
      /* a large offset ruins E[x²] - E[x]² in float */
      for (size_t i = 0; far && i < rows * n; i++) x[i] += 1000;
      c.call.option[0] = 1e-5;
      case_plan(&c);
      for (size_t r = 0; r < rows; r++) {
        const float *row = x + r * n;
        long double mean = 0, var = 0;
        for (size_t i = n; i-- > 0;) mean += row[i];
        mean /= n;
        for (size_t i = n; i-- > 0;) var += (row[i] - mean) * (row[i] - mean);
        var /= n;
        for (size_t i = 0; i < n; i++) {
          double unit = (double)((row[i] - mean) / sqrtl(var + 1e-5L));
          double want = unit * gamma[i] + beta[i];
          expect(&c, 3, r * n + i, want,
                 2 * U * (fabs(unit * gamma[i]) + fabs(beta[i])) + 1e-9);
        }
      }
      case_verify(&c, 1);
    }
}

static void test_layernorm_special(void **state) {
  static const float odd[] = {NAN, INFINITY, -INFINITY};
  (void)state;
  for (int s = 0; s < 3; s++) {
    Case c;
    case_open(&c, "layernorm");
    float *x = case_matrix(&c, 0, 2, 19, UNIT);
    case_vector(&c, 1, 19, POSITIVE);
    case_vector(&c, 2, 19, POSITIVE);
    x[5] = odd[s];
    for (int i = 0; i < 19; i++) x[19 + i] = 2.5f; /* no variance: beta */
    case_plan(&c);
    for (size_t i = 0; i < 19; i++) {
      expect(&c, 3, i, NAN, 0); /* one such element spoils its row alone */
      expect(&c, 3, 19 + i, ((float *)c.call.array[2].data)[i], 0);
    }
    case_verify(&c, 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_binary),
      cmocka_unit_test(test_binary_ints),
      cmocka_unit_test(test_saxpy),
      cmocka_unit_test(test_relu),
      cmocka_unit_test(test_exp),
      cmocka_unit_test(test_in_place),
      cmocka_unit_test(test_sum_mean_dot),
      cmocka_unit_test(test_sum_is_good),
      cmocka_unit_test(test_sum_ints),
      cmocka_unit_test(test_max),
      cmocka_unit_test(test_max_ints),
      cmocka_unit_test(test_matmul_linear),
      cmocka_unit_test(test_matmul_is_good),
      cmocka_unit_test(test_transpose),
      cmocka_unit_test(test_attention),
      cmocka_unit_test(test_scan),
      cmocka_unit_test(test_scan_ints),
      cmocka_unit_test(test_histogram),
      cmocka_unit_test(test_conv1d),
      cmocka_unit_test(test_conv2d),
      cmocka_unit_test(test_maxpool),
      cmocka_unit_test(test_softmax),
      cmocka_unit_test(test_layernorm),
      cmocka_unit_test(test_layernorm_special),
  };
  return cmocka_run_group_tests(tests, find_module, NULL);
}
