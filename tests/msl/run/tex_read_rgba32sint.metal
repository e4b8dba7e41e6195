// section: 6.12 Texture Functions
// construct: texture2d<int>, rgba32sint
// grid: 1 1
// texture: t rgba32sint 1 1: -1 2 -3 4
// out: out int4 -1 2 -3 4
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<int, access::read> t [[texture(0)]], device int4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 1 + p.x] = t.read(p);
}
