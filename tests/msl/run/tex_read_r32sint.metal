// section: 6.12 Texture Functions
// construct: texture2d<int>, r32sint
// grid: 2 1
// texture: t r32sint 2 1: -7 9
// out: out int -7 9
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<int, access::read> t [[texture(0)]], device int *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 2 + p.x] = t.read(p).x;
}
