// section: 6.12 Texture Functions
// construct: linear sampling in pixel coordinates: centres lie at a half
// grid: 4
// repeats: no
// texture: t r32float 4 1: 10 20 30 40
// in: x float 0.5 1 3.75 2.25
// out: o float 10 15 40 27.5
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]], device const float *x [[buffer(0)]], device float *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(coord::pixel, filter::linear, address::clamp_to_edge);
  o[i] = t.sample(s, float2(x[i], 0.5f)).x;
}
