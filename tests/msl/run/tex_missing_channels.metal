// section: 6.12 Texture Functions
// construct: channels that a format has not: 0, and alpha 1
// grid: 1
// texture: t rg32float 1 1: 5 6
// texture: u r32uint 1 1: 7
// out: o float4 5 6 0 1
// out: p uint4 7 0 0 1
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, access::read> t [[texture(0)]], texture2d<uint, access::read> u [[texture(1)]], device float4 *o [[buffer(0)]], device uint4 *p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  o[0] = t.read(uint2(0));
  p[0] = u.read(uint2(0));
}
