// section: 6.12 Texture Functions
// construct: an integer texture sampled nearest keeps its ints
// grid: 1
// texture: t r32sint 2 1: -5 2147483647
// out: o int -5 2147483647
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<int> t [[texture(0)]], device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::nearest);
  o[0] = t.sample(s, float2(0.25f, 0.5f)).x;
  o[1] = t.sample(s, float2(0.75f, 0.5f)).x;
}
