// section: 6.12 Texture Functions
// construct: nearest sampling at texel borders, normalized
// grid: 5
// repeats: no
// texture: t r32float 4 1: 10 20 30 40
// in: x float 0 0.249 0.25 0.999 0.5
// out: o float 10 10 20 40 30
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]], device const float *x [[buffer(0)]], device float *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::nearest);
  o[i] = t.sample(s, float2(x[i], 0.5f)).x;
}
