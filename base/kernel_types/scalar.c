/*
** scalar.c - conversion of arrays of scalars; a macro makes one loop per type
** of the table (msl/include/metal/__scalar_types).
*/
#include "base/kernel_types/scalar.h"

#include "base/kernel_types/half.h"

#define KIND_FLOAT 'f'
#define KIND_SIGNED 'i'
#define KIND_UNSIGNED 'u'
#define KIND_BOOL 'b'

#define LOWEST_FLOAT(highest) (-(highest))
#define LOWEST_SIGNED(highest) (-(double)(highest) - 1)
#define LOWEST_UNSIGNED(highest) 0
#define LOWEST_BOOL(highest) 0

static const struct {
  char kind;
  bool numpy;
  double lowest, highest;
} facts[MT_SCALARS] = {
    {0},
#define X(with, id, name, clang, declared, storage, class, highest, converts, \
          numpy, ...)                                                         \
  {KIND_##class, numpy, LOWEST_##class(highest), (double)(highest)},
    __MT_SCALARS(X, )
#undef X
};

char mt_scalar_kind(mt_Scalar s) { return facts[s].kind; }
bool mt_scalar_is_float(mt_Scalar s) { return facts[s].kind == KIND_FLOAT; }
bool mt_scalar_in_numpy(mt_Scalar s) { return facts[s].numpy; }
double mt_scalar_lowest(mt_Scalar s) { return facts[s].lowest; }
double mt_scalar_highest(mt_Scalar s) { return facts[s].highest; }

/* The columns 'converts': a scalar to a double, and back to its type T. */
#define TO_plain(x) (double)(x)
#define TO_truth(x) (double)(x)
#define TO_half(x) mt_half_to_float(x)
#define TO_bfloat(x) mt_bfloat_to_float(x)
#define FROM_plain(T, d) (T)(d)
#define FROM_truth(T, d) (T)((d) != 0)
#define FROM_half(T, d) mt_half_from_float((float)(d))
#define FROM_bfloat(T, d) mt_bfloat_from_float((float)(d))

void mt_scalars_unpack(mt_Scalar s, const void *from, size_t n, double *out) {
  switch (s) {
#define X(with, id, name, clang, declared, storage, class, highest, converts, \
          ...)                                                                \
  case MT_##id: {                                                             \
    const storage *in = from;                                                 \
    for (size_t i = 0; i < n; i++) out[i] = TO_##converts(in[i]);             \
    break;                                                                    \
  }
    __MT_SCALARS(X, )
#undef X
    case MT_VOID: break;
  }
}

void mt_scalars_pack(mt_Scalar s, const double *from, size_t n, void *out) {
  switch (s) {
#define X(with, id, name, clang, declared, storage, class, highest, converts, \
          ...)                                                                \
  case MT_##id: {                                                             \
    storage *to = out;                                                        \
    for (size_t i = 0; i < n; i++) to[i] = FROM_##converts(storage, from[i]); \
    break;                                                                    \
  }
    __MT_SCALARS(X, )
#undef X
    case MT_VOID: break;
  }
}

uint64_t mt_scalars_sum(mt_Scalar s, const void *from, size_t n) {
  uint64_t sum = 0;
  if (mt_scalar_is_float(s)) return 0;
  switch (s) {
#define X(with, id, name, clang, declared, storage, ...)               \
  case MT_##id: {                                                \
    const storage *in = from;                                    \
    for (size_t i = 0; i < n; i++) sum += (uint64_t)in[i];       \
    break;                                                       \
  }
    __MT_SCALARS(X, )
#undef X
    case MT_VOID: break;
  }
  return sum;
}
