/*
** numbers.c - floats that C lacks (numbers.h).
*/
#include "tests/cuda/numbers.h"
#include "tests/cuda/warp.h"

#include <fenv.h>
#include <math.h>

typedef struct Format {
  int mantissa, least, most; /* bits; exponents of normal numbers */
  int dropped;               /* low bits of the word that are zero */
} Format;

static Format format_of(Type t) {
  switch (t) {
    case T_F16:
    case T_F16X2:
      return (Format){10, -14, 15, 0};
    case T_BF16:
    case T_BF16X2:
      return (Format){7, -126, 127, 0};
    case T_TF32:
      return (Format){10, -126, 127, 13};
    default:
      return (Format){23, -126, 127, 0};
  }
}

uint32_t narrow(double v, Type t, Rounding r) {
  Format f = format_of(t);
  unsigned exponent_bits = f.most == 15 ? 5 : 8;
  uint32_t negative = signbit(v) != 0;
  uint32_t sign = negative << (f.mantissa + exponent_bits);
  uint32_t infinity = ((1u << exponent_bits) - 1) << f.mantissa, bits;
  if (isnan(v)) return t == T_F32 || t == T_TF32 ? NAN_F32 : NAN_16;
  if (isinf(v)) {
    bits = infinity;
  } else if (v == 0) {
    bits = 0;
  } else {
    double a = fabs(v);
    int e = ilogb(a), unit = (e < f.least ? f.least : e) - f.mantissa;
    double scaled = scalbn(a, -unit), whole = floor(scaled);
    double rest = scaled - whole;
    uint32_t n = (uint32_t)whole;
    bool up;
    switch (r) {
      case R_RZ:
        up = false;
        break;
      case R_RM:
        up = negative && rest != 0;
        break;
      case R_RP:
        up = !negative && rest != 0;
        break;
      case R_RNA:
        up = rest >= 0.5;
        break;
      default:
        up = rest > 0.5 || (rest == 0.5 && (n & 1));
    }
    n += up;
    if (n >> (f.mantissa + 1)) n >>= 1, unit++;
    if (n >> f.mantissa == 0) {
      bits = n;
    } else {
      int biased = unit + f.mantissa - f.least + 1;
      bits = (uint32_t)biased << f.mantissa | (n & ((1u << f.mantissa) - 1));
      if (biased > f.most - f.least + 1) {
        bool largest =
            r == R_RZ || (r == R_RM && !negative) || (r == R_RP && negative);
        bits = largest ? infinity - 1 : infinity;
      }
    }
  }
  return (sign | bits) << f.dropped;
}

double widen(uint64_t bits, Type t) {
  if (t == T_F64) return f64_of(bits);
  if (t == T_F32) return f32_of(bits);
  if (t == T_TF32) return f32_of(bits & ~UINT64_C(0x1fff));
  if (t == T_BF16 || t == T_BF16X2) return f32_of((bits & 0xffff) << 16);
  uint32_t mantissa = bits & 0x3ff, e = bits >> 10 & 31;
  double v = e == 31  ? (mantissa ? NAN : INFINITY)
             : e == 0 ? scalbn(mantissa, -24)
                      : scalbn(mantissa | 0x400, (int)e - 25);
  return bits >> 15 & 1 ? -v : v;
}

/* one step towards where the rest lies, if the last bit is even */
static double to_odd(double sum, double rest) {
  uint64_t bits = bits_f64(sum);
  if (rest == 0 || isnan(sum) || isinf(sum) || (bits & 1)) return sum;
  bool away = (rest > 0) == (sum > 0);
  return f64_of(away ? bits + 1 : bits - 1);
}

double add_odd(double a, double b) {
  volatile double sum = a + b, part = sum - a;
  volatile double back = sum - part, da = a - back, db = b - part;
  volatile double rest = da + db;
  return to_odd(sum, rest);
}

double odd_of_u64(uint64_t v) {
  if (v >> 53 == 0) return (double)v;
  int drop = 64 - 53 - __builtin_clzll(v);
  uint64_t kept = v >> drop;
  if (v & (((uint64_t)1 << drop) - 1)) kept |= 1;
  return scalbn((double)kept, drop);
}

double odd_of_s64(int64_t v) {
  return v < 0 ? -odd_of_u64(0 - (uint64_t)v) : odd_of_u64((uint64_t)v);
}

double integral(double v, Rounding r) {
  switch (r) {
    case R_RZI:
      return trunc(v);
    case R_RMI:
      return floor(v);
    case R_RPI:
      return ceil(v);
    default:
      return nearbyint(v);
  }
}

int set_rounding(Rounding r) {
  int was = fegetround();
  switch (r) {
    case R_RZ:
      fesetround(FE_TOWARDZERO);
      break;
    case R_RM:
      fesetround(FE_DOWNWARD);
      break;
    case R_RP:
      fesetround(FE_UPWARD);
      break;
    default:
      fesetround(FE_TONEAREST);
  }
  return was;
}

void restore_rounding(int was) { fesetround(was); }
