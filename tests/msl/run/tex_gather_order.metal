// section: 6.12 Texture Functions
// construct: gather gives four neighbours counter-clockwise from the lower left
// grid: 1
// texture: t r32float 2 2: 1 2 3 4
// out: o float4 3 4 2 1
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]], device float4 *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::nearest);
  o[0] = t.gather(s, float2(0.5f, 0.5f));
}
