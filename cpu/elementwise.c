/*
** elementwise.c - add, sub, mul, saxpy, relu, exp, activations, copy, fill: one
** element at a time.
**
** Integers are computed as unsigned: the bits are the same as for int, and
** they wrap around as in MSL.
*/
#include <string.h>

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

/* ------------------------------------------------------------- activations */

MT_INLINE float sigmoid(float v) { return 1 / (1 + mt_exp(-v)); }
MT_INLINE float silu(float v) { return v * sigmoid(v); }

/* The usual approximation. */
MT_INLINE float gelu(float v) {
  return 0.5f * v * (1 + mt_tanh(0.7978845608f * (v + 0.044715f * v * v * v)));
}

#define ACTIVATION(name, function) \
  MT_HOT static void name##_piece(void *context, size_t first, size_t last, \
                                  unsigned worker) { \
    const mt_CpuCall *call = context; \
    const float *x = MT_FLOATS(call, 0); \
    float *y = MT_FLOATS(call, 1); \
    (void)worker; \
    MT_EACH for (size_t i = first; i < last; i++) y[i] = function(x[i]); \
  }

ACTIVATION(sigmoid, sigmoid)
ACTIVATION(tanh, mt_tanh)
ACTIVATION(gelu, gelu)
ACTIVATION(silu, silu)

mt_Status mt_cpu_run_activations(mt_CpuCall *call, mt_Error *err) {
  double which = call->option[0];
  if (which > 3)
    return mt_cpu_error(
        call, err, MT_BADARG,
        "which is 0 sigmoid, 1 tanh, 2 gelu or 3 silu, not %.0f", which);
  mt_CpuBody body = which == 0   ? sigmoid_piece
                    : which == 1 ? tanh_piece
                    : which == 2 ? gelu_piece
                                 : silu_piece;
  mt_cpu_loop(call, call->count, GRAIN, body, call);
  return MT_OK;
}

/* ----------------------------------------------------------- copy and fill */

static void copy_piece(void *context, size_t first, size_t last,
                       unsigned worker) {
  const mt_CpuCall *call = context;
  size_t size = mt_scalar_size(call->type);
  (void)worker;
  memmove((char *)call->array[1].data + first * size,
          (const char *)call->array[0].data + first * size,
          (last - first) * size);
}

MT_HOT static void fill_piece(void *context, size_t first, size_t last,
                              unsigned worker) {
  const mt_CpuCall *call = context;
  float *y = MT_FLOATS(call, 1), v = (float)call->number[0];
  (void)worker;
  for (size_t i = first; i < last; i++) y[i] = v;
}

/* 'n' is as long as the output that is given, or as the first option says. */
mt_Status mt_cpu_derive_length(mt_CpuCall *call, mt_Error *err) {
  unsigned out = 0;
  while (call->ref->args[out].role != MT_CPU_OUT) out++;
  const mt_CpuArray *given = &call->array[out];
  size_t asked = (size_t)call->option[0];
  bool fixed = given->type != MT_VOID && given->dims == 1;
  if (fixed && call->chosen[0] && given->shape[0] != asked)
    return mt_cpu_error(call, err, MT_BADARG,
                        "%s has %zu elements, but the option says %zu",
                        call->ref->args[out].name, given->shape[0], asked);
  MT_DIM(call, 'n') = fixed ? given->shape[0] : asked;
  return MT_OK;
}

mt_Status mt_cpu_run_fill(mt_CpuCall *call, mt_Error *err) {
  (void)err;
  mt_cpu_loop(call, MT_DIM(call, 'n'), GRAIN, fill_piece, call);
  return MT_OK;
}

/* -------------------------------------------------------------- references */

ELEMENTWISE(copy)
ELEMENTWISE(saxpy)
ELEMENTWISE(relu)
ELEMENTWISE(exp)

/* ---------------------------------------------------------------- vendor's */

#define BINARY_VENDOR(name) \
  mt_Status mt_cpu_vendor_##name(mt_CpuCall *call, const mt_CpuVendor *v, \
                                 mt_Error *err) { \
    (void)err; \
    MT_PARTS(at, n, call->count) \
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
  MT_PARTS(at, n, call->count)
  v->saxpy((float)call->number[0], MT_FLOATS(call, 1) + at,
           MT_FLOATS(call, 2) + at, MT_FLOATS(call, 3) + at, n);
  return MT_OK;
}

mt_Status mt_cpu_vendor_exp(mt_CpuCall *call, const mt_CpuVendor *v,
                            mt_Error *err) {
  (void)err;
  MT_PARTS(at, n, call->count)
  v->exp(MT_FLOATS(call, 0) + at, MT_FLOATS(call, 1) + at, n);
  return MT_OK;
}
