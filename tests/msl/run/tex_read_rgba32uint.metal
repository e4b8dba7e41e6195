// section: 6.12 Texture Functions
// construct: texture2d<uint>, rgba32uint
// grid: 1 1
// texture: t rgba32uint 1 1: 1 2 3 4000000000
// out: out uint4 1 2 3 4000000000
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<uint, access::read> t [[texture(0)]], device uint4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 1 + p.x] = t.read(p);
}
