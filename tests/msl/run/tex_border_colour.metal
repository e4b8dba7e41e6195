// section: 6.12 Texture Functions
// construct: border colours of clamp_to_border
// grid: 1
// texture: t rgba32float 1 1: 5 6 7 8
// out: o float4 0 0 0 0
// out: p float4 0 0 0 1
// out: q float4 1 1 1 1
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]], device float4 *o [[buffer(0)]], device float4 *p [[buffer(1)]], device float4 *q [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler a(address::clamp_to_border, border_color::transparent_black);
  constexpr sampler b(address::clamp_to_border, border_color::opaque_black);
  constexpr sampler c(address::clamp_to_border, border_color::opaque_white);
  float2 out = float2(2, 2);
  o[0] = t.sample(a, out);
  p[0] = t.sample(b, out);
  q[0] = t.sample(c, out);
}
