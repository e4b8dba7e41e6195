// section: 6.12 Texture Functions
// construct: address::clamp_to_zero
// grid: 4
// texture: t r32float 4 1: 0 1 2 3
// in: c float 1.125 -0.125 0.6 0.9
// out: out float within 1e-06: 0 0 2 3
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float> t [[texture(0)]], device const float *c [[buffer(0)]],
                 device float *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::nearest, address::clamp_to_zero);
  out[i] = t.sample(s, float2(c[i], 0.5)).x;
}
