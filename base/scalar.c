/*
** scalar.c - conversion of arrays of scalars; a macro makes one loop per type.
*/
#include "base/scalar.h"

#include <float.h>

#include "base/half.h"

#define BFLOAT_MAX 3.38953138925153547590470800371487866880e+38
#define HALF_MAX 65504.0

static const struct {
  bool is_float;
  double lowest, highest;
} ranges[] = {
    [MT_VOID] = {false, 0, 0},
    [MT_BOOL] = {false, 0, 1},
    [MT_CHAR] = {false, INT8_MIN, INT8_MAX},
    [MT_UCHAR] = {false, 0, UINT8_MAX},
    [MT_SHORT] = {false, INT16_MIN, INT16_MAX},
    [MT_USHORT] = {false, 0, UINT16_MAX},
    [MT_INT] = {false, INT32_MIN, INT32_MAX},
    [MT_UINT] = {false, 0, UINT32_MAX},
    [MT_LONG] = {false, (double)INT64_MIN, (double)INT64_MAX},
    [MT_ULONG] = {false, 0, (double)UINT64_MAX},
    [MT_HALF] = {true, -HALF_MAX, HALF_MAX},
    [MT_BFLOAT] = {true, -BFLOAT_MAX, BFLOAT_MAX},
    [MT_FLOAT] = {true, -FLT_MAX, FLT_MAX},
};

bool mt_scalar_is_float(mt_Scalar s) { return ranges[s].is_float; }
double mt_scalar_lowest(mt_Scalar s) { return ranges[s].lowest; }
double mt_scalar_highest(mt_Scalar s) { return ranges[s].highest; }

#define EACH_PLAIN(DO)                                                      \
  DO(MT_CHAR, int8_t) DO(MT_UCHAR, uint8_t) DO(MT_SHORT, int16_t)           \
      DO(MT_USHORT, uint16_t) DO(MT_INT, int32_t) DO(MT_UINT, uint32_t)     \
          DO(MT_LONG, int64_t) DO(MT_ULONG, uint64_t)

void mt_scalars_unpack(mt_Scalar s, const void *from, size_t n, double *out) {
#define UNPACK(NAME, T)                                                \
  case NAME:                                                           \
    for (size_t i = 0; i < n; i++) out[i] = (double)((const T *)from)[i]; \
    break;
  const uint16_t *u16 = from;
  switch (s) {
    EACH_PLAIN(UNPACK)
    UNPACK(MT_FLOAT, float)
    UNPACK(MT_BOOL, uint8_t)
    case MT_HALF:
      for (size_t i = 0; i < n; i++) out[i] = mt_half_to_float(u16[i]);
      break;
    case MT_BFLOAT:
      for (size_t i = 0; i < n; i++) out[i] = mt_bfloat_to_float(u16[i]);
      break;
    case MT_VOID: break;
  }
#undef UNPACK
}

void mt_scalars_pack(mt_Scalar s, const double *from, size_t n, void *out) {
#define PACK(NAME, T)                                            \
  case NAME:                                                     \
    for (size_t i = 0; i < n; i++) ((T *)out)[i] = (T)from[i];   \
    break;
  uint16_t *u16 = out;
  switch (s) {
    EACH_PLAIN(PACK)
    PACK(MT_FLOAT, float)
    case MT_BOOL:
      for (size_t i = 0; i < n; i++) ((uint8_t *)out)[i] = from[i] != 0;
      break;
    case MT_HALF:
      for (size_t i = 0; i < n; i++) u16[i] = mt_half_from_float((float)from[i]);
      break;
    case MT_BFLOAT:
      for (size_t i = 0; i < n; i++)
        u16[i] = mt_bfloat_from_float((float)from[i]);
      break;
    case MT_VOID: break;
  }
#undef PACK
}

uint64_t mt_scalars_sum(mt_Scalar s, const void *from, size_t n) {
  uint64_t sum = 0;
#define SUM(NAME, T)                                                       \
  case NAME:                                                               \
    for (size_t i = 0; i < n; i++) sum += (uint64_t)((const T *)from)[i];  \
    break;
  switch (s) {
    EACH_PLAIN(SUM)
    SUM(MT_BOOL, uint8_t)
    default: break;
  }
#undef SUM
  return sum;
}
