// section: 6.12 Texture Functions
// construct: layers of a 2d array: read, sample, sizes
// grid: 1
// texture: t r32float 2 1 x 3: 1 2 3 4 5 6
// out: o float 4 5 3 2
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d_array<float> t [[texture(0)]], device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  constexpr sampler s(filter::nearest);
  o[0] = t.read(uint2(1, 0), 1).x;
  o[1] = t.sample(s, float2(0.25f, 0.5f), 2).x;
  o[2] = t.get_array_size();
  o[3] = t.get_width(0);
}
