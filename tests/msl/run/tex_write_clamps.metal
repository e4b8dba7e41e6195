// section: 6.12 Texture Functions
// construct: writing to unorm and snorm clamps and rounds
// grid: 1
// texture: t rgba8unorm 1 1
// pixels: t 0 255 128 255
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float, access::write> t [[texture(0)]], uint i [[thread_position_in_grid]]) {
  t.write(float4(-0.5f, 1.5f, 0.5f, 1.0f), uint2(0));
}
