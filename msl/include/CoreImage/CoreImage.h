// -*- c++ -*-
// What Core Image's own header declares for its filters: extern "C" functions
// of samples and places, which compile and are left out.
#ifndef METTLE_COREIMAGE
#define METTLE_COREIMAGE
#pragma clang system_header
#include "../metal_stdlib"

namespace coreimage {
using namespace metal;
typedef float4 sample_t;
typedef half4 sample_h;
struct sampler {
  metal::texture2d<float> __image;
  __MSL_FN float4 sample(float2 p) const {
    return __image.sample(metal::sampler(), p);
  }
  __MSL_FN float2 transform(float2 p) const { return p; }
  __MSL_FN float2 coord() const { return 0; }
  __MSL_FN float4 extent() const { return 0; }
  __MSL_FN float2 origin() const { return 0; }
  __MSL_FN float2 size() const {
    return float2(__image.get_width(), __image.get_height());
  }
};
struct sampler_h {
  metal::texture2d<half> __image;
  __MSL_FN half4 sample(float2 p) const {
    return __image.sample(metal::sampler(), p);
  }
  __MSL_FN float2 transform(float2 p) const { return p; }
  __MSL_FN float2 coord() const { return 0; }
  __MSL_FN float4 extent() const { return 0; }
  __MSL_FN float2 origin() const { return 0; }
  __MSL_FN float2 size() const {
    return float2(__image.get_width(), __image.get_height());
  }
};
struct destination {
  float2 __place;
  __MSL_FN float2 coord() const { return __place; }
};
// the colour of a sample, with and without its alpha in it
template <class T>
__MSL_FN vec<T, 4> premultiply(vec<T, 4> s) {
  return vec<T, 4>{s.x * s.w, s.y * s.w, s.z * s.w, s.w};
}
template <class T> __MSL_FN vec<T, 4> unpremultiply(vec<T, 4> s) {
  return s.w == T(0) ? s : vec<T, 4>{s.x / s.w, s.y / s.w, s.z / s.w, s.w};
}
template <class T, int N>
__MSL_FN vec<T, N> compare(vec<T, N> a, vec<T, N> b, vec<T, N> c) {
  for (int i = 0; i < N; i++) c[i] = a[i] < T(0) ? b[i] : c[i];
  return c;
}
__MSL_FN float compare(float a, float b, float c) { return a < 0 ? b : c; }
__MSL_FN float2 sincos(float x) { return float2{metal::sin(x), metal::cos(x)}; }
__MSL_FN float2 cossin(float x) { return float2{metal::cos(x), metal::sin(x)}; }
__MSL_FN float3 srgb_to_linear(float3 c) {
  for (int i = 0; i < 3; i++)
    c[i] = c[i] <= 0.04045f ? c[i] / 12.92f
                            : metal::pow((c[i] + 0.055f) / 1.055f, 2.4f);
  return c;
}
__MSL_FN float3 linear_to_srgb(float3 c) {
  for (int i = 0; i < 3; i++)
    c[i] = c[i] <= 0.0031308f ? c[i] * 12.92f
                              : 1.055f * metal::pow(c[i], 1 / 2.4f) - 0.055f;
  return c;
}
}  // namespace coreimage
#endif
