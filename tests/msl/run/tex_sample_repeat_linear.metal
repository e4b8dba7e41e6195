// section: 6.12 Texture Functions
// construct: address::repeat, linear, across the seam
// grid: 3
// texture: t r32float 4 1: 0 1 2 3
// in: c float 0 1 1.125
// out: out float within 1e-06: 1.5 1.5 0
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float> t [[texture(0)]], device const float *c [[buffer(0)]],
                 device float *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::linear, address::repeat);
  out[i] = t.sample(s, float2(c[i], 0.5)).x;
}
