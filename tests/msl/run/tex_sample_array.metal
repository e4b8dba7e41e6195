// section: 6.12 Texture Functions
// construct: texture2d_array
// grid: 2
// texture: t r32float 2 1 x 2: 0 1 2 3
// in: c float 0.1 0.6
// out: out float within 1e-06: 2 3
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d_array<float> t [[texture(0)]], device const float *c [[buffer(0)]],
                 device float *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::nearest);
  out[i] = t.sample(s, float2(c[i], 0.5), 1).x;
}
