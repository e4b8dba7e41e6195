/*
** test_cuda_floats.c - PTX's instructions on floats of all widths in the
** stand-in for NVIDIA's driver (tests/cuda), each beside an answer in plain C:
** directed rounding by comparison with an exact result, not by the processor's
** modes.
**
** Guards: the stand-in's PTX: instructions on integers, bits, predicates,
** floats of all widths and roundings; memory, calls, atomics, lanes, barriers,
** small matrices; each beside an answer in plain C. With
** CUDA_LIBRARY=libcuda.so.1 the same runs on a GPU
*/
#include "tests/c/cuda/cuda_words.h"

#ifdef __linux__

#include <float.h>
#include <math.h>

#ifdef __x86_64__
typedef __float128 Exact; /* sums and products of such floats are exact in it */
#else
typedef long double Exact;
#endif

static float f(u64 bits) {
  u32 u = (u32)bits;
  float v;
  memcpy(&v, &u, 4);
  return v;
}
/* The one NaN of a GPU, if 'a' is any. */
static u64 nan_or(u64 a, u64 other) {
  return ((u32)a & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : other;
}

static u64 fb(float v) {
  u32 u;
  memcpy(&u, &v, 4);
  return v != v ? 0x7fffffff : u;
}
static double d(u64 bits) {
  double v;
  memcpy(&v, &bits, 8);
  return v;
}
static u64 db(double v) {
  u64 u;
  memcpy(&u, &v, 8);
  return u;
}

/* The float next to an exact value, in a direction: n, z, m (down), p (up). */
static float directed(Exact v, char way) {
  float r = (float)v;
  bool down = way == 'm' || (way == 'z' && v > 0);
  bool up = way == 'p' || (way == 'z' && v < 0);
  if (v != v || way == 'n') return r;
  if (down && (Exact)r > v) r = nextafterf(r, -INFINITY);
  if (up && (Exact)r < v) r = nextafterf(r, INFINITY);
  return r;
}

static float sum(float a, float b, char way) {
  if (way == 'm' && a == -b && a != 0) return -0.0f;
  if (way == 'm' && a == 0 && b == 0)
    return signbit(a) || signbit(b) ? -0.0f : 0.0f;
  if (a == 0 || b == 0 || !isfinite(a) || !isfinite(b)) return a + b;
  Exact s = (Exact)a + b,
        rest = fabsf(a) > fabsf(b) ? (Exact)b - (s - a) : (Exact)a - (s - b);
  if (rest == 0 || (Exact)(float)s != s) return directed(s, way);
  /* far apart: s is the larger one, the other only says on which side */
  bool down = way == 'm' || (way == 'z' && s > 0),
       up = way == 'p' || (way == 'z' && s < 0);
  if (down && rest < 0) return nextafterf((float)s, -INFINITY);
  if (up && rest > 0) return nextafterf((float)s, INFINITY);
  return (float)s;
}
static float times(float a, float b, char way) {
  if (a == 0 || b == 0 || isinf(a) || isinf(b) || a != a || b != b)
    return a * b;
  return directed((Exact)a * b, way);
}
static float flushed(float v) {
  return fpclassify(v) == FP_SUBNORMAL ? copysignf(0, v) : v;
}
static float clamped(float v) { return v != v || v <= 0 ? 0 : v > 1 ? 1 : v; }
static float least(float a, float b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == 0 && b == 0) return signbit(a) ? a : b;
  return a < b ? a : b;
}
static float most(float a, float b) { return -least(-a, -b); }
static float most_or_nan(float a, float b) {
  return a != a || b != b ? NAN : most(a, b);
}

/* floats near each other, so that exact sums fit, and all special ones */
static void fill_floats(u64 *in) {
  static const u32 special[] = {
      0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
      1, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x3f000000,
      0x40200000, 0xc0200000, 0x4f000000, 0x3fffffff};
  u64 x = 2463534242u;
  for (int k = 0; k < THREADS * 4; k++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    u32 v = (u32)(x >> 20 & 0x807fffff) | (u32)(110 + (x >> 12) % 35) << 23;
    if (x % 5 == 0) v = special[(x >> 40) % (sizeof special / sizeof *special)];
    if (x % 5 == 1)
      v = (u32)fb((float)((s32)((x >> 30) & 0xffff) - 0x8000) * 0.5f);
    in[k] = v;
  }
}

static void fill_doubles(u64 *in) {
  static const u64 special[] = {0,
                                (u64)1 << 63,
                                0x3ff0000000000000,
                                0x7ff0000000000000,
                                0xfff0000000000000,
                                1,
                                0x000fffffffffffff,
                                0x7fefffffffffffff,
                                0x3fe0000000000000,
                                0x4004000000000000,
                                0xc004000000000000,
                                0x41e0000000000000,
                                0x43e0000000000000,
                                0xc3e0000000000001};
  u64 x = 362436069u;
  for (int k = 0; k < THREADS * 4; k++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    in[k] = (x & 0x800fffffffffffff) | (u64)(1003 + (x >> 52) % 60) << 52;
    if (x % 4 == 0)
      in[k] = special[(x >> 40) % (sizeof special / sizeof *special)];
  }
}

static double dleast(double a, double b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == 0 && b == 0) return signbit(a) ? a : b;
  return a < b ? a : b;
}

/* clang-format off */
#define F32(X)                                                               \
  X(add, 32, "add.rn.f32 %o, %a, %b;", fb(f(a) + f(b)))                      \
  X(add_plain, 32, "add.f32 %o, %a, 0f3F800000;", fb(f(a) + 1))              \
  X(add_rz, 32, "add.rz.f32 %o, %a, %b;", fb(sum(f(a), f(b), 'z')))          \
  X(add_rm, 32, "add.rm.f32 %o, %a, %b;", fb(sum(f(a), f(b), 'm')))          \
  X(add_rp, 32, "add.rp.f32 %o, %a, %b;", fb(sum(f(a), f(b), 'p')))          \
  X(add_ftz, 32, "add.ftz.f32 %o, %a, %b;", fb(flushed(flushed(f(a)) + flushed(f(b))))) \
  X(add_sat, 32, "add.sat.f32 %o, %a, %b;", fb(clamped(f(a) + f(b))))        \
  X(sub, 32, "sub.rn.f32 %o, %a, %b;", fb(f(a) - f(b)))                      \
  X(sub_rp, 32, "sub.rp.f32 %o, %a, %b;", fb(sum(f(a), -f(b), 'p')))         \
  X(mul, 32, "mul.rn.f32 %o, %a, %b;", fb(f(a) * f(b)))                      \
  X(mul_rz, 32, "mul.rz.f32 %o, %a, %b;", fb(times(f(a), f(b), 'z')))        \
  X(mul_rm, 32, "mul.rm.f32 %o, %a, %b;", fb(times(f(a), f(b), 'm')))        \
  X(mul_ftz, 32, "mul.ftz.f32 %o, %a, %b;", fb(flushed(flushed(f(a)) * flushed(f(b))))) \
  X(fma, 32, "fma.rn.f32 %o, %a, %b, %c;", fb(fmaf(f(a), f(b), f(c))))       \
  X(fma_sat, 32, "fma.rn.sat.f32 %o, %a, %b, %c;", fb(clamped(fmaf(f(a), f(b), f(c))))) \
  X(mad, 32, "mad.rn.f32 %o, %a, %b, %c;", fb(fmaf(f(a), f(b), f(c))))       \
  X(div, 32, "div.rn.f32 %o, %a, %b;", fb(f(a) / f(b)))                      \
  X(div_rz, 32, "div.rz.f32 %o, %a, %b;", fb(isinf(f(a)) || isinf(f(b)) || f(b) == 0 || f(a) == 0 ? f(a) / f(b) : directed((Exact)f(a) / f(b), 'z'))) \
  X(rcp, 32, "rcp.rn.f32 %o, %a;", fb(1 / f(a)))                             \
  X(sqrt, 32, "sqrt.rn.f32 %o, %a;", fb(sqrtf(f(a))))                        \
  X(neg, 32, "neg.f32 %o, %a;", nan_or(a, a ^ 0x80000000))                              \
  X(abs, 32, "abs.f32 %o, %a;", nan_or(a, a & 0x7fffffff))                              \
  X(abs_ftz, 32, "abs.ftz.f32 %o, %a;", nan_or(a, fb(fabsf(flushed(f(a)))))) \
  X(min, 32, "min.f32 %o, %a, %b;", fb(least(f(a), f(b))))                   \
  X(max, 32, "max.f32 %o, %a, %b;", fb(most(f(a), f(b))))                    \
  X(max_nan, 32, "max.NaN.f32 %o, %a, %b;", fb(most_or_nan(f(a), f(b))))     \
  X(min_ftz, 32, "min.ftz.f32 %o, %a, %b;", fb(least(flushed(f(a)), flushed(f(b))))) \
  X(copysign, 32, "copysign.f32 %o, %a, %b;", (a & 0x80000000) | (b & 0x7fffffff)) \
  X(lt, 32, "setp.lt.f32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", f(a) < f(b)) \
  X(ltu, 32, "setp.ltu.f32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", !(f(a) >= f(b))) \
  X(ne, 32, "setp.ne.f32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", f(a) < f(b) || f(a) > f(b)) \
  X(neu, 32, "setp.neu.f32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", f(a) != f(b)) \
  X(equ, 32, "setp.equ.f32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", !(f(a) < f(b) || f(a) > f(b))) \
  X(num, 32, "setp.num.f32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", f(a) == f(a) && f(b) == f(b)) \
  X(nan, 32, "setp.nan.f32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", f(a) != f(a) || f(b) != f(b)) \
  X(eq_ftz, 32, "setp.eq.ftz.f32 %p1, %a, %b; selp.b32 %o, 1, 0, %p1;", flushed(f(a)) == flushed(f(b))) \
  X(finite, 32, "testp.finite.f32 %p1, %a; selp.b32 %o, 1, 0, %p1;", isfinite(f(a))) \
  X(infinite, 32, "testp.infinite.f32 %p1, %a; selp.b32 %o, 1, 0, %p1;", isinf(f(a)) != 0) \
  X(number, 32, "testp.number.f32 %p1, %a; selp.b32 %o, 1, 0, %p1;", !isnan(f(a))) \
  X(notanumber, 32, "testp.notanumber.f32 %p1, %a; selp.b32 %o, 1, 0, %p1;", isnan(f(a)) != 0) \
  X(normal, 32, "or.b32 %a, %a, 1; testp.normal.f32 %p1, %a; selp.b32 %o, 1, 0, %p1;", isnormal(f(a | 1)) != 0) \
  X(subnormal, 32, "testp.subnormal.f32 %p1, %a; selp.b32 %o, 1, 0, %p1;", fpclassify(f(a)) == FP_SUBNORMAL) \
  X(slct_f, 32, "slct.b32.f32 %o, %a, %b, %c;", f(c) >= 0 ? a : b)

#define F64(X)                                                               \
  X(dadd, 64, "add.rn.f64 %out, %da, %db;", db(d(a) + d(b)))                 \
  X(dsub, 64, "sub.rn.f64 %out, %da, %db;", db(d(a) - d(b)))                 \
  X(dmul, 64, "mul.rn.f64 %out, %da, %db;", db(d(a) * d(b)))                 \
  X(ddiv, 64, "div.rn.f64 %out, %da, %db;", db(d(a) / d(b)))                 \
  X(dfma, 64, "fma.rn.f64 %out, %da, %db, %dc;", db(fma(d(a), d(b), d(c))))  \
  X(dsqrt, 64, "abs.f64 %d4, %da; sqrt.rn.f64 %out, %d4;", db(sqrt(fabs(d(a))))) \
  X(dmin, 64, "min.f64 %out, %da, %db;", db(dleast(d(a), d(b))))             \
  X(dmax, 64, "max.f64 %out, %da, %db;", db(-dleast(-d(a), -d(b))))          \
  X(dneg, 64, "neg.f64 %out, %da;", a ^ (u64)1 << 63)                        \
  X(dconst, 64, "add.rn.f64 %out, %da, 0d4000000000000000;", db(d(a) + 2))   \
  X(dge, 32, "setp.ge.f64 %p1, %da, %db; selp.b32 %o, 1, 0, %p1;", d(a) >= d(b))
/* clang-format on */

/* ------------------------------------------------------------- conversions */

static u64 to_int(double v, int bits, bool is_signed, char way,
                  bool wide_source) {
  double end = ldexp(1, is_signed ? bits - 1 : bits);
  if (v != v) return wide_source || bits == 64 ? (u64)1 << (bits - 1) : 0;
  double w = way == 'z'   ? trunc(v)
             : way == 'm' ? floor(v)
             : way == 'p' ? ceil(v)
                          : nearbyint(v);
  if (w >= end) return is_signed ? ((u64)1 << (bits - 1)) - 1 : UINT64_MAX;
  if (is_signed) return w < -end ? (u64)1 << (bits - 1) : (u64)(s64)w;
  return w <= 0 ? 0 : (u64)w;
}

/* Nearest number of a small format by search over all of them. */
static double small(u32 bits, int mantissa, int exponent) {
  u32 m = bits & ((1u << mantissa) - 1),
      e = bits >> mantissa & ((1u << exponent) - 1);
  int bias = (1 << (exponent - 1)) - 1;
  double v = e == (1u << exponent) - 1 ? (m ? NAN : INFINITY)
             : e == 0 ? ldexp(m, 1 - bias - mantissa)
                      : ldexp((1u << mantissa) + m, (int)e - bias - mantissa);
  return bits >> (mantissa + exponent) & 1 ? -v : v;
}
static u32 nearest(Exact v, int mantissa, int exponent, char way) {
  u32 infinity = ((1u << exponent) - 1) << mantissa,
      sign = 1u << (mantissa + exponent);
  bool negative = v < 0;
  if (v != v) return 0x7fff;
  Exact a = negative ? -v : v;
  u32 lo = 0, hi = infinity; /* the largest that is not above a */
  while (hi - lo > 1) {
    u32 mid = lo + (hi - lo) / 2;
    if ((Exact)small(mid, mantissa, exponent) <= a) lo = mid;
    else hi = mid;
  }
  Exact below = small(lo, mantissa, exponent);
  /* what infinity would be as a number */
  Exact above = hi == infinity
                    ? below + (below - small(lo - 1, mantissa, exponent))
                    : (Exact)small(hi, mantissa, exponent);
  u32 r = lo;
  if (a == (Exact)INFINITY) r = infinity;
  else if (way == 'n' &&
           (a - below > above - a || (a - below == above - a && (lo & 1))))
    r = hi;
  return r | (negative ? sign : 0);
}
static u64 h16(Exact v) { return nearest(v, 10, 5, 'n'); }
static u64 b16(Exact v) { return nearest(v, 7, 8, 'n'); }
static u64 signed_zero(float v, u64 r) {
  return v == 0 && signbit(v) ? r | 0x8000 : r;
}
static double hv(u64 v) { return small((u32)v & 0xffff, 10, 5); }
static double bv(u64 v) { return small((u32)v & 0xffff, 7, 8); }
static u64 tf32_rna(u64 a) {
  u32 v = (u32)a;
  if ((v & 0x7fffffff) > 0x7f800000) return 0x7fffffff;
  if ((v & 0x7fffffff) == 0x7f800000) return v;
  return (v + 0x1000) & ~0x1fffu;
}

/* clang-format off */
#define CONVERT(X)                                                                \
  X(s32_rz, 32, "cvt.rzi.s32.f32 %o, %a;", to_int(f(a), 32, true, 'z', false))    \
  X(s32_rn, 32, "cvt.rni.s32.f32 %o, %a;", to_int(f(a), 32, true, 'n', false))    \
  X(s32_rm, 32, "cvt.rmi.s32.f32 %o, %a;", to_int(f(a), 32, true, 'm', false))    \
  X(u32_rp, 32, "cvt.rpi.u32.f32 %o, %a;", to_int(f(a), 32, false, 'p', false))   \
  X(u16_rz, 16, "cvt.rzi.u16.f32 %h0, %a;", (u16)(f(a) != f(a) ? 0 : f(a) >= 65536 ? 65535 : f(a) <= 0 ? 0 : (u16)f(a))) \
  X(s64_rz, 64, "cvt.rzi.s64.f32 %out, %a;", to_int(f(a), 64, true, 'z', false))  \
  X(u64_rz, 64, "cvt.rzi.u64.f32 %out, %a;", to_int(f(a), 64, false, 'z', false)) \
  X(f32_rni, 32, "cvt.rni.f32.f32 %o, %a;", fb(nearbyintf(f(a))))                 \
  X(f32_rzi, 32, "cvt.rzi.f32.f32 %o, %a;", fb(truncf(f(a))))                     \
  X(f32_rmi, 32, "cvt.rmi.f32.f32 %o, %a;", fb(floorf(f(a))))                     \
  X(f32_rpi, 32, "cvt.rpi.f32.f32 %o, %a;", fb(ceilf(f(a))))                      \
  X(f32_sat, 32, "cvt.sat.f32.f32 %o, %a;", fb(clamped(f(a))))                    \
  X(f16_f32, 16, "cvt.rn.f16.f32 %h0, %a;", signed_zero(f(a), h16(f(a))))         \
  X(f16_f32z, 16, "cvt.rz.f16.f32 %h0, %a;", signed_zero(f(a), nearest(f(a), 10, 5, 'z'))) \
  X(bf16_f32, 16, "cvt.rn.bf16.f32 %h0, %a;", signed_zero(f(a), b16(f(a))))       \
  X(f16x2, 32, "cvt.rn.f16x2.f32 %o, %a, %b;", signed_zero(f(a), h16(f(a))) << 16 | signed_zero(f(b), h16(f(b)))) \
  X(bf16x2, 32, "cvt.rn.bf16x2.f32 %o, %a, %b;", signed_zero(f(a), b16(f(a))) << 16 | signed_zero(f(b), b16(f(b)))) \
  X(tf32, 32, "and.b32 %a, %a, 0xff7fffff; cvt.rna.tf32.f32 %o, %a;", tf32_rna(a & 0xff7fffff))                            \
  X(f64_f32, 64, "min.f32 %r1, %a, 0f7F800000; cvt.f64.f32 %out, %r1;", db(least(f(a), INFINITY)))

#define CONVERT_INT(X)                                                            \
  X(f32_s32, 32, "cvt.rn.f32.s32 %o, %a;", fb((float)(s32)a))                     \
  X(f32_u32, 32, "cvt.rn.f32.u32 %o, %a;", fb((float)(u32)a))                     \
  X(f32_s32z, 32, "cvt.rz.f32.s32 %o, %a;", fb(directed((Exact)(s32)a, 'z')))     \
  X(f32_u32p, 32, "cvt.rp.f32.u32 %o, %a;", fb(directed((Exact)(u32)a, 'p')))     \
  X(f32_s64, 32, "cvt.rn.f32.s64 %o, %da;", fb((float)(s64)a))                    \
  X(f32_u64, 32, "cvt.rn.f32.u64 %o, %da;", fb((float)a))                         \
  X(f32_u64m, 32, "cvt.rm.f32.u64 %o, %da;", fb(directed((Exact)a, 'm')))         \
  X(f32_u8, 32, "cvt.rn.f32.u8 %o, %ha;", fb((u8)a))                              \
  X(f32_s16, 32, "cvt.rn.f32.s16 %o, %ha;", fb((s16)a))                           \
  X(f64_s64, 64, "cvt.rn.f64.s64 %out, %da;", db((double)(s64)a))                 \
  X(f64_u32, 64, "cvt.rn.f64.u32 %out, %a;", db((u32)a))                          \
  X(f16_s32, 16, "cvt.rn.f16.s32 %h0, %a;", h16((s32)a))                          \
  X(f16_u16, 16, "cvt.rn.f16.u16 %h0, %ha;", h16((u16)a))                         \
  X(f16_s64, 16, "cvt.rn.f16.s64 %h0, %da;", h16((s64)a))

#define CONVERT_F64(X)                                                            \
  X(f32_f64, 32, "cvt.rn.f32.f64 %o, %da;", fb((float)d(a)))                      \
  X(f32_f64z, 32, "cvt.rz.f32.f64 %o, %da;", fb(isinf(d(a)) ? (float)d(a) : d(a) == 0 ? (float)d(a) : directed(d(a), 'z'))) \
  X(s32_f64, 32, "cvt.rzi.s32.f64 %o, %da;", to_int(d(a), 32, true, 'z', true))   \
  X(s64_f64, 64, "cvt.rni.s64.f64 %out, %da;", to_int(d(a), 64, true, 'n', true)) \
  X(f16_f64, 16, "cvt.rn.f16.f64 %h0, %da;", d(a) == 0 && signbit(d(a)) ? 0x8000 : h16(d(a)) | (d(a) < 0 ? 0x8000 : 0))

/* halves in the low bits of words of any kind */
#define HALVES(X)                                                                 \
  X(h_f32, 32, "cvt.f32.f16 %o, %ha;", fb((float)hv(a)))                          \
  X(b_f32, 32, "cvt.f32.bf16 %o, %ha;", fb((float)bv(a)))                         \
  X(h_s32, 32, "cvt.rzi.s32.f16 %o, %ha;", to_int(hv(a), 32, true, 'z', false))   \
  X(h_neg, 16, "neg.f16 %h0, %ha;", (a & 0x7fff) > 0x7c00 ? 0x7fff : (a ^ 0x8000) & 0xffff)                        \
  X(h_abs, 16, "abs.f16 %h0, %ha;", (a & 0x7fff) > 0x7c00 ? 0x7fff : a & 0x7fff)                                   \
  X(h_lt, 32, "setp.lt.f16 %p1, %ha, %hb; selp.b32 %o, 1, 0, %p1;", hv(a) < hv(b)) \
  X(b_ge, 32, "setp.ge.bf16 %p1, %ha, %hb; selp.b32 %o, 1, 0, %p1;", bv(a) >= bv(b)) \
  X(h_add, 16, "add.rn.f16 %h0, %ha, %hb;", half_zero(hv(a) + hv(b), h16((Exact)hv(a) + hv(b)))) \
  X(h_sub, 16, "sub.rn.f16 %h0, %ha, %hb;", half_zero(hv(a) - hv(b), h16((Exact)hv(a) - hv(b)))) \
  X(h_mul, 16, "mul.rn.f16 %h0, %ha, %hb;", half_zero(hv(a) * hv(b), h16((Exact)hv(a) * hv(b)))) \
  X(h_fma, 16, "fma.rn.f16 %h0, %ha, %hb, %hc;", half_zero(fma(hv(a), hv(b), hv(c)), h16((Exact)hv(a) * hv(b) + hv(c)))) \
  X(h_min, 16, "min.f16 %h0, %ha, %hb;", half_zero(dleast(hv(a), hv(b)), h16(dleast(hv(a), hv(b))))) \
  X(h_max, 16, "max.f16 %h0, %ha, %hb;", half_zero(-dleast(-hv(a), -hv(b)), h16(-dleast(-hv(a), -hv(b))))) \
  X(b_fma, 16, "fma.rn.bf16 %h0, %ha, %hb, %hc;", half_zero(fma(bv(a), bv(b), bv(c)), b16((Exact)bv(a) * bv(b) + bv(c)))) \
  X(h2_add, 32, "add.rn.f16x2 %o, %a, %b;",                                       \
    half_zero(hv(a) + hv(b), h16((Exact)hv(a) + hv(b))) |                         \
        half_zero(hv(a >> 16) + hv(b >> 16), h16((Exact)hv(a >> 16) + hv(b >> 16))) << 16) \
  X(h2_fma, 32, "fma.rn.f16x2 %o, %a, %b, %c;",                                   \
    half_zero(fma(hv(a), hv(b), hv(c)), h16((Exact)hv(a) * hv(b) + hv(c))) |      \
        half_zero(fma(hv(a >> 16), hv(b >> 16), hv(c >> 16)), h16((Exact)hv(a >> 16) * hv(b >> 16) + hv(c >> 16))) << 16) \
  X(h2_mul, 32, "mul.rn.f16x2 %o, %a, %b;",                                       \
    half_zero(hv(a) * hv(b), h16((Exact)hv(a) * hv(b))) |                         \
        half_zero(hv(a >> 16) * hv(b >> 16), h16((Exact)hv(a >> 16) * hv(b >> 16))) << 16)
/* clang-format on */

/* the sign of a zero, or of a number that is rounded to it */
static u64 half_zero(double v, u64 r) {
  return v == v && signbit(v) ? r | 0x8000 : r;
}

static void fill_halves(u64 *in) {
  static const u16 special[] = {
      0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x3c00, 0xbc00, 0x7bff, 0xfbff,
      0x7c00, 0xfc00, 0x7e00, 0x3c01, 0x4000, 0x1000};
  u64 x = 123456789;
  for (int k = 0; k < THREADS * 4; k++) {
    in[k] = 0;
    for (int p = 0; p < 2; p++) {
      x ^= x << 13, x ^= x >> 7, x ^= x << 17;
      u64 v = x >> 33 & 0xffff;
      if (x % 3 == 0)
        v = special[(x >> 50) % (sizeof special / sizeof *special)];
      in[k] |= v << 16 * p;
    }
  }
}

/* clang-format off */
#define NEWEST(X)                                                                 \
  X(pair_add, 64, "mov.b64 %d4, {%a, %b}; mov.b64 %d5, {%c, %e}; add.rn.f32x2 %out, %d4, %d5;", \
    fb(f(a) + f(c)) | fb(f(b) + f(e)) << 32)                                      \
  X(pair_fma, 64, "mov.b64 %d4, {%a, %b}; mov.b64 %d5, {%c, %e}; fma.rn.f32x2 %out, %d4, %d5, %d4;", \
    fb(fmaf(f(a), f(c), f(a))) | fb(fmaf(f(b), f(e), f(b))) << 32)                \
  X(mixed_sub, 32, "sub.rn.f32.f16 %o, %ha, %b;", fb((float)hv(a) - f(b)))        \
  X(mixed_fma, 32, "fma.rn.f32.bf16 %o, %ha, %hb, %c;", fb(fmaf((float)bv(a), (float)bv(b), f(c))))
/* clang-format on */

NEWEST(FUNCTION)
F32(FUNCTION)
F64(FUNCTION)
CONVERT(FUNCTION)
CONVERT_INT(FUNCTION)
CONVERT_F64(FUNCTION)
HALVES(FUNCTION)

#define TRY(name, LIST, fill)                              \
  static void name(void **state) {                         \
    (void)state;                                           \
    static const Instruction list[] = {LIST(ROW)};         \
    try_all(list, sizeof list / sizeof *list, fill);       \
  }
TRY(f32, F32, fill_floats)
TRY(f64, F64, fill_doubles)
TRY(convert, CONVERT, fill_floats)
TRY(convert_int, CONVERT_INT, fill_words)
TRY(convert_f64, CONVERT_F64, fill_doubles)
TRY(halves, HALVES, fill_halves)

static void newest(void **state) {
  (void)state;
  int major = 0;
  cuDeviceGetAttribute(&major, 75, 0);
  if (major < 10) skip_because("the GPU is older");
  static const Instruction list[] = {NEWEST(ROW)};
  try_all_on(".version 8.6\n.target sm_100\n.address_size 64\n", list,
             sizeof list / sizeof *list, fill_floats);
}

/* ---------------------------------------------------------- approximations */

typedef struct Approximation {
  const char *ptx;
  double (*want)(double a, double b);
  double within; /* relative; what NVIDIA documents */
} Approximation;

static double quotient(double a, double b) { return a / b; }
static double one(double a, double b) { return (void)b, 1 / a; }
static double root(double a, double b) { return (void)b, sqrt(a); }
static double inverse_root(double a, double b) { return (void)b, 1 / sqrt(a); }
static double sine(double a, double b) { return (void)b, sin(a); }
static double cosine(double a, double b) { return (void)b, cos(a); }
static double power(double a, double b) { return (void)b, exp2(a); }
static double logarithm(double a, double b) { return (void)b, log2(a); }
static double tangent(double a, double b) { return (void)b, tanh(a); }

static void approximations(void **state) {
  (void)state;
  static const Approximation list[] = {
      {"div.approx.f32 %o, %a, %b;", quotient, 3e-7},
      {"div.full.f32 %o, %a, %b;", quotient, 3e-7},
      {"rcp.approx.f32 %o, %a;", one, 3e-7},
      {"rcp.approx.ftz.f32 %o, %a;", one, 3e-7},
      {"sqrt.approx.f32 %o, %a;", root, 4e-7},
      {"rsqrt.approx.f32 %o, %a;", inverse_root, 4e-7},
      {"sin.approx.f32 %o, %a;", sine, 1e-5},
      {"cos.approx.f32 %o, %a;", cosine, 1e-5},
      {"ex2.approx.f32 %o, %a;", power, 4e-7},
      {"ex2.approx.ftz.f32 %o, %a;", power, 4e-7},
      {"lg2.approx.f32 %o, %a;", logarithm, 1e-5},
      {"tanh.approx.f32 %o, %a;", tangent, 6e-4},
  };
  u64 in[THREADS * 4], out[THREADS];
  for (int t = 0; t < THREADS; t++) {
    in[t * 4] = fb(0.0125f * (float)(t + 1));
    in[t * 4 + 1] = fb(0.37f * (float)(t + 3));
    in[t * 4 + 2] = in[t * 4 + 3] = 0;
  }
  for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
    run_words(HEAD90, list[k].ptx, 32, in, out);
    for (int t = 0; t < THREADS; t++) {
      double want = list[k].want(f(in[t * 4]), f(in[t * 4 + 1])),
             got = f(out[t]);
      if (fabs(got - want) > list[k].within * fmax(fabs(want), 1e-1))
        fail_msg("%s of %g, %g: %.9g, not %.9g", list[k].ptx, f(in[t * 4]),
                 f(in[t * 4 + 1]), got, want);
    }
  }
}

int main(void) {
  setenv("CUDA_STANDIN", "sm=120", 0);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(f32),         cmocka_unit_test(f64),
      cmocka_unit_test(convert),     cmocka_unit_test(convert_int),
      cmocka_unit_test(convert_f64), cmocka_unit_test(halves),
      cmocka_unit_test(approximations), cmocka_unit_test(newest),
  };
  return cmocka_run_group_tests(tests, open_context, close_context);
}
#else
NO_CUDA_TESTS
#endif
