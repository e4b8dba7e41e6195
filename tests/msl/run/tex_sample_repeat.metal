// section: 6.12 Texture Functions
// construct: address::repeat
// grid: 4
// texture: t r32float 4 1: 0 1 2 3
// in: c float 1.125 -0.125 2.4 0.6
// out: out float within 1e-06: 0 3 1 2
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float> t [[texture(0)]], device const float *c [[buffer(0)]],
                 device float *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::nearest, address::repeat);
  out[i] = t.sample(s, float2(c[i], 0.5)).x;
}
