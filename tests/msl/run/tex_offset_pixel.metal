// section: 6.12 Texture Functions
// construct: an offset moves by whole texels
// grid: 1
// texture: t r32float 3 3: 1 2 3 4 5 6 7 8 9
// out: o float 9 1 6
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]], device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::nearest);
  float2 c = float2(0.5f);
  o[0] = t.sample(s, c, int2(1, 1)).x;
  o[1] = t.sample(s, c, int2(-1, -1)).x;
  o[2] = t.sample(s, c, level(0), int2(1, 0)).x;
}
