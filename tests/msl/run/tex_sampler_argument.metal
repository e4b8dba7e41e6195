// section: 6.12 Texture Functions
// construct: a sampler as an argument
// grid: 2
// texture: t r32float 4 1: 0 1 2 3
// sampler: s linear
// in: c float 0.25 0.5
// out: out float within 1e-6: 0.5 1.5
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float> t [[texture(0)]], sampler s [[sampler(0)]],
                 device const float *c [[buffer(0)]], device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = t.sample(s, float2(c[i], 0.5)).x;
}
