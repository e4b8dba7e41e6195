// section: 2.10 Samplers
// construct: a sampler's reduction, where all filters are linear
// grid: 3
// texture: t r32float 2 2: 0 1 2 5
// in: c float 0.5 0.25 0.75
// out: out float within 1e-06: 0 0 1 5 2 5 2 1 3
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float> t [[texture(0)]],
                 device const float *c [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  constexpr sampler least(filter::linear, mip_filter::linear,
                          reduction::minimum);
  constexpr sampler most(reduction::maximum, filter::linear,
                         mip_filter::linear);
  constexpr sampler plain(filter::linear, reduction::maximum);
  float2 at = float2(c[i], 0.5);
  out[i] = t.sample(least, at).x;
  out[3 + i] = t.sample(most, at).x;
  out[6 + i] = t.sample(plain, at).x;
}
