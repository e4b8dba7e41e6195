// section: 6.12 Texture Functions
// construct: a half4 written to rgba16float and read as half
// grid: 1
// texture: t rgba16float 1 1
// pixels: t 0.5 65504 -2 1
#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<half, access::write> t [[texture(0)]], uint i [[thread_position_in_grid]]) {
  t.write(half4(0.5h, 65504.0h, -2.0h, 1.0h), uint2(0));
}
