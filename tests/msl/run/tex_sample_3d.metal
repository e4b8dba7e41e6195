// section: 6.12 Texture Functions
// construct: trilinear
// grid: 2
// texture: t r32float 2 2 2: 0 1 2 3 4 5 6 7
// in: c float 0.5 0.25
// out: out float within 1e-06: 3.5 3
#include <metal_stdlib>
using namespace metal;

kernel void test(texture3d<float> t [[texture(0)]], device const float *c [[buffer(0)]],
                 device float *out [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::linear);
  out[i] = t.sample(s, float3(c[i], 0.5, 0.5)).x;
}
