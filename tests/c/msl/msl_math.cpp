// The math functions of msl/include as plain loops over arrays. test_msl_math.c
// compiles this with the front end's Clang for this machine, in fast and in
// safe math, loads it and measures. For a function 'f' of one number:
//   p_f metal::precise, f_f metal::fast, m_f metal, h_f metal on half,
//   v_f metal on float4 (n is a multiple of 4)
#include <metal_stdlib>

#define EXPORT extern "C" __attribute__((visibility("default")))
#define LOOP for (long i = 0; i < n; i++)

#define ONE(f)                                              \
  EXPORT void p_##f(const float *x, float *y, long n) {     \
    LOOP y[i] = metal::precise::f(x[i]);                    \
  }                                                         \
  EXPORT void f_##f(const float *x, float *y, long n) {     \
    LOOP y[i] = metal::fast::f(x[i]);                       \
  }                                                         \
  EXPORT void m_##f(const float *x, float *y, long n) {     \
    LOOP y[i] = metal::f(x[i]);                             \
  }                                                         \
  EXPORT void h_##f(const half *x, half *y, long n) {       \
    LOOP y[i] = metal::f(x[i]);                             \
  }                                                         \
  EXPORT void v_##f(const float4 *x, float4 *y, long n) {   \
    for (long i = 0; i < n / 4; i++) y[i] = metal::f(x[i]); \
  }
#define TWO(f)                                                          \
  EXPORT void p_##f(const float *x, const float *y, float *z, long n) { \
    LOOP z[i] = metal::precise::f(x[i], y[i]);                          \
  }                                                                     \
  EXPORT void f_##f(const float *x, const float *y, float *z, long n) { \
    LOOP z[i] = metal::fast::f(x[i], y[i]);                             \
  }                                                                     \
  EXPORT void m_##f(const float *x, const float *y, float *z, long n) { \
    LOOP z[i] = metal::f(x[i], y[i]);                                   \
  }

ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(ceil)
ONE(cos) ONE(cosh) ONE(cospi) ONE(exp) ONE(exp2) ONE(exp10) ONE(fabs)
ONE(floor) ONE(fract) ONE(log) ONE(log2) ONE(log10) ONE(rint) ONE(round)
ONE(rsqrt) ONE(sin) ONE(sinh) ONE(sinpi) ONE(sqrt) ONE(tan) ONE(tanh)
ONE(tanpi) ONE(trunc)
TWO(atan2) TWO(copysign) TWO(divide) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod)
TWO(nextafter) TWO(pow) TWO(powr)

// The rest, in the shape of ONE or TWO.
EXPORT void m_sincos_sin(const float *x, float *y, long n) {
  float c;
  LOOP y[i] = metal::precise::sincos(x[i], c);
}
EXPORT void m_sincos_cos(const float *x, float *y, long n) {
  LOOP metal::precise::sincos(x[i], y[i]);
}
EXPORT void m_frexp_m(const float *x, float *y, long n) {
  int e;
  LOOP y[i] = metal::frexp(x[i], e);
}
EXPORT void m_frexp_e(const float *x, float *y, long n) {
  int e;
  LOOP metal::frexp(x[i], e), y[i] = (float)e;
}
EXPORT void m_modf_f(const float *x, float *y, long n) {
  float w;
  LOOP y[i] = metal::modf(x[i], w);
}
EXPORT void m_modf_w(const float *x, float *y, long n) {
  LOOP metal::modf(x[i], y[i]);
}
EXPORT void m_ilogb(const float *x, float *y, long n) {
  LOOP y[i] = (float)metal::ilogb(x[i]);
}
EXPORT void m_ldexp(const float *x, const float *y, float *z, long n) {
  LOOP z[i] =
      metal::ldexp(x[i], (int)metal::precise::clamp(y[i], -1000.0f, 1000.0f));
}
