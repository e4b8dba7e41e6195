// section: 6.12 Texture Functions
// construct: linear sampling in the middle of a 3d texture
// grid: 1
// texture: t r32float 2 2 2: 1 2 3 4 5 6 7 8
// out: o float 4.5 3 2
#include <metal_stdlib>
using namespace metal;
kernel void k(texture3d<float> t [[texture(0)]], device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::linear, address::clamp_to_edge);
  o[0] = t.sample(s, float3(0.5f)).x;
  o[1] = t.sample(s, float3(0.25f, 0.75f, 0.25f)).x;
  o[2] = t.get_depth();
}
