/*
** elementwise.c - add, sub, mul, saxpy, relu, exp: one element at a time.
**
** Integers are computed as unsigned: the bits are the same as for int, and
** they wrap around as in MSL.
*/
#include "cpu/inside.h"
#include "cpu/mathf.h"

#define GRAIN 32768 /* elements a piece: some ten microseconds */

/* A piece of an element-wise reference: float and integers alike. */
#define BINARY(name, operator) \
  MT_HOT static void name##_floats(void *context, size_t first, size_t last, \
                                   unsigned worker) { \
    const mt_CpuCall *call = context; \
    const float *a = MT_FLOATS(call, 0), *b = MT_FLOATS(call, 1); \
    float *c = MT_FLOATS(call, 2); \
    (void)worker; \
    MT_EACH for (size_t i = first; i < last; i++) c[i] = a[i] operator b[i]; \
  } \
  MT_HOT static void name##_ints(void *context, size_t first, size_t last, \
                                 unsigned worker) { \
    const mt_CpuCall *call = context; \
    const uint32_t *a = MT_UINTS(call, 0), *b = MT_UINTS(call, 1); \
    uint32_t *c = MT_UINTS(call, 2); \
    (void)worker; \
    MT_EACH for (size_t i = first; i < last; i++) c[i] = a[i] operator b[i]; \
  } \
  mt_Status mt_cpu_run_##name(mt_CpuCall *call, mt_Error *err) { \
    (void)err; \
    mt_cpu_loop(call, call->count, GRAIN, \
                call->type == MT_FLOAT ? name##_floats : name##_ints, call); \
    return MT_OK; \
  }

BINARY(add, +)
BINARY(sub, -)
BINARY(mul, *)

MT_HOT static void saxpy_piece(void *context, size_t first, size_t last,
                               unsigned worker) {
  const mt_CpuCall *call = context;
  const float *x = MT_FLOATS(call, 1), *y = MT_FLOATS(call, 2);
  float *z = MT_FLOATS(call, 3), k = (float)call->number[0];
  (void)worker;
  MT_EACH for (size_t i = first; i < last; i++) z[i] = k * x[i] + y[i];
}

MT_HOT static void relu_piece(void *context, size_t first, size_t last,
                              unsigned worker) {
  const mt_CpuCall *call = context;
  const float *x = MT_FLOATS(call, 0);
  float *y = MT_FLOATS(call, 1);
  (void)worker;
  MT_EACH for (size_t i = first; i < last; i++) y[i] = mt_relu(x[i]);
}

MT_HOT static void exp_piece(void *context, size_t first, size_t last,
                             unsigned worker) {
  const mt_CpuCall *call = context;
  const float *x = MT_FLOATS(call, 0);
  float *y = MT_FLOATS(call, 1);
  (void)worker;
  MT_EACH for (size_t i = first; i < last; i++) y[i] = mt_exp(x[i]);
}

#define ELEMENTWISE(name) \
  mt_Status mt_cpu_run_##name(mt_CpuCall *call, mt_Error *err) { \
    (void)err; \
    mt_cpu_loop(call, call->count, GRAIN, name##_piece, call); \
    return MT_OK; \
  }

ELEMENTWISE(saxpy)
ELEMENTWISE(relu)
ELEMENTWISE(exp)

/* ---------------------------------------------------------------- vendor's */

/* The library cannot be interrupted, so it is called for a part at a time:
** one that takes milliseconds. */
#define PART ((size_t)1 << 22)
#define PARTS(at, n, count) \
  for (size_t at = 0, n; at < (count) && !mt_cancelled() && \
       (n = (count) - at < PART ? (count) - at : PART, true); at += n)

#define BINARY_VENDOR(name) \
  mt_Status mt_cpu_vendor_##name(mt_CpuCall *call, const mt_CpuVendor *v, \
                                 mt_Error *err) { \
    (void)err; \
    PARTS(at, n, call->count) \
    v->name(MT_FLOATS(call, 0) + at, MT_FLOATS(call, 1) + at, \
            MT_FLOATS(call, 2) + at, n); \
    return MT_OK; \
  }

BINARY_VENDOR(add)
BINARY_VENDOR(sub)
BINARY_VENDOR(mul)

mt_Status mt_cpu_vendor_saxpy(mt_CpuCall *call, const mt_CpuVendor *v,
                              mt_Error *err) {
  (void)err;
  PARTS(at, n, call->count)
  v->saxpy((float)call->number[0], MT_FLOATS(call, 1) + at,
           MT_FLOATS(call, 2) + at, MT_FLOATS(call, 3) + at, n);
  return MT_OK;
}

mt_Status mt_cpu_vendor_exp(mt_CpuCall *call, const mt_CpuVendor *v,
                            mt_Error *err) {
  (void)err;
  PARTS(at, n, call->count)
  v->exp(MT_FLOATS(call, 0) + at, MT_FLOATS(call, 1) + at, n);
  return MT_OK;
}
