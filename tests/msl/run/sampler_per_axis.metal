// section: 6.12 Texture Functions
// construct: an address mode for each axis
// grid: 1
// texture: t r32float 2 2: 1 2 3 4
// out: o float 2 4
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> t [[texture(0)]], device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(s_address::repeat, t_address::clamp_to_edge, filter::nearest);
  o[0] = t.sample(s, float2(1.75f, -3.0f)).x;
  o[1] = t.sample(s, float2(-0.25f, 9.0f)).x;
}
