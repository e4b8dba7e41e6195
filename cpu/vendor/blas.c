/*
** blas.c - the module blas.so: the vendor's library, called through
** cpu/vendor.h.
**
** OpenBLAS counts in int, Accelerate's vectors in unsigned long, its BLAS in
** int: whatever is longer goes in parts. Nothing of the program is used here.
*/
#include "cpu/vendor.h"

#include <stdio.h>
#include <string.h>

#ifdef MT_ACCELERATE
#define ACCELERATE_NEW_LAPACK
#include <Accelerate/Accelerate.h>
#else
#include <cblas.h>
#endif

#define PART ((size_t)1 << 30) /* elements of one call */

static size_t part_of(size_t left) { return left < PART ? left : PART; }

/* ----------------------------------------------------- what both have: BLAS */

static double vendor_dot(const float *x, const float *y, size_t n) {
  double total = 0;
  for (size_t i = 0; i < n; i += PART)
    total += (double)cblas_sdot((int)part_of(n - i), x + i, 1, y + i, 1);
  return total;
}

/* Dimensions beyond int are beyond memory for two of three; rows are cut. */
static void vendor_matmul(float scale, const float *a, const float *b,
                          float *c, size_t n, size_t k, size_t m,
                          int b_by_columns) {
  if (n == 0 || m == 0) return;
  if (k == 0) {
    memset(c, 0, n * m * sizeof *c);
    return;
  }
  for (size_t i = 0; i < n; i += PART)
    cblas_sgemm(CblasRowMajor, CblasNoTrans,
                b_by_columns ? CblasTrans : CblasNoTrans, (int)part_of(n - i),
                (int)m, (int)k, scale, a + i * k, (int)k, b,
                (int)(b_by_columns ? k : m), 0, c + i * m, (int)m);
}

#ifdef MT_ACCELERATE

/* --------------------------------------------------------------- Accelerate */

static void vendor_add(const float *a, const float *b, float *c, size_t n) {
  vDSP_vadd(a, 1, b, 1, c, 1, n);
}

static void vendor_sub(const float *a, const float *b, float *c, size_t n) {
  vDSP_vsub(b, 1, a, 1, c, 1, n); /* takes what is subtracted first */
}

static void vendor_mul(const float *a, const float *b, float *c, size_t n) {
  vDSP_vmul(a, 1, b, 1, c, 1, n);
}

static void vendor_saxpy(float k, const float *x, const float *y, float *z,
                         size_t n) {
  vDSP_vsma(x, 1, &k, y, 1, z, 1, n);
}

static void vendor_exp(const float *x, float *y, size_t n) {
  for (size_t i = 0; i < n; i += PART) {
    int part = (int)part_of(n - i);
    vvexpf(y + i, x + i, &part);
  }
}

static double vendor_sum(const float *x, size_t n) {
  float total = 0;
  if (n) vDSP_sve(x, 1, &total, n);
  return (double)total;
}

static void vendor_transpose(const float *a, float *b, size_t n, size_t m) {
  if (n && m) vDSP_mtrans(a, 1, b, 1, m, n); /* rows, columns of b */
}

static void vendor_correlate(const float *x, const float *w, float *y,
                             size_t n, size_t taps) {
  vDSP_conv(x, 1, w, 1, y, 1, n, taps); /* a step of 1 in w correlates */
}

static const mt_CpuVendor vendor = {.name = "Accelerate",
                                    .add = vendor_add,
                                    .sub = vendor_sub,
                                    .mul = vendor_mul,
                                    .saxpy = vendor_saxpy,
                                    .exp = vendor_exp,
                                    .sum = vendor_sum,
                                    .dot = vendor_dot,
                                    .matmul = vendor_matmul,
                                    .transpose = vendor_transpose,
                                    .correlate = vendor_correlate};

static void set_name(void) {}

#else

/* ----------------------------------------------------------------- OpenBLAS */

/* It has a sum of its own, cblas_ssum, which is wrong in 0.3.21 with SkylakeX
** kernels for some lengths: not used. BLAS proper has none. */

static void vendor_threads(unsigned n) { openblas_set_num_threads((int)n); }

static void vendor_saxpy(float k, const float *x, const float *y, float *z,
                         size_t n) {
  for (size_t i = 0; i < n; i += PART) {
    int part = (int)part_of(n - i);
    if (z == x && z != y) { /* x is written: k · z + 1 · y instead */
      cblas_saxpby(part, 1, y + i, 1, k, z + i, 1);
      continue;
    }
    if (z != y) cblas_scopy(part, y + i, 1, z + i, 1);
    cblas_saxpy(part, k, x + i, 1, z + i, 1);
  }
}

static void vendor_transpose(const float *a, float *b, size_t n, size_t m) {
  if (n && m)
    cblas_somatcopy(CblasRowMajor, CblasTrans, (int)n, (int)m, 1, a, (int)m, b,
                    (int)n);
}

static char name[64] = "OpenBLAS";
static const mt_CpuVendor vendor = {.name = name,
                                    .threads = vendor_threads,
                                    .saxpy = vendor_saxpy,
                                    .dot = vendor_dot,
                                    .matmul = vendor_matmul,
                                    .transpose = vendor_transpose};

/* "OpenBLAS 0.3.21 NO_LAPACKE …": the first two words; and whose kernels */
static void set_name(void) {
  const char *config = openblas_get_config();
  const char *end = strchr(config, ' ');
  if (end) end = strchr(end + 1, ' ');
  int length = end ? (int)(end - config) : (int)strlen(config);
  snprintf(name, sizeof name, "%.*s, %s kernels", length, config,
           openblas_get_corename());
}

#endif

__attribute__((visibility("default"))) const mt_CpuVendor *mt_cpu_vendor(void);

const mt_CpuVendor *mt_cpu_vendor(void) {
  set_name();
  return &vendor;
}
