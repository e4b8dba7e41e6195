// section: 6.12 Texture Functions
// construct: texture2d<uint>, r8uint
// grid: 2 1
// texture: t r8uint 2 1: 7 255
// out: out uint 7 255
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<uint, access::read> t [[texture(0)]], device uint *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 2 + p.x] = t.read(p).x;
}
