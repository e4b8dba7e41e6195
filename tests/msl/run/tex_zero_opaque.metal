// section: 6.12 Texture Functions
// construct: clamp_to_zero outside of a format without alpha gives alpha 1
// grid: 1
// texture: t r32float 1 1: 5
// out: o float4 0 0 0 1
// out: p float4 5 0 0 1
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]], device float4 *o [[buffer(0)]], device float4 *p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler a(address::clamp_to_zero);
  o[0] = t.sample(a, float2(2, 2));
  p[0] = t.sample(a, float2(0.5f, 0.5f));
}
