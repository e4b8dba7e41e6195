// section: 6.12 Texture Functions
// construct: texture2d<ushort>, r16uint
// grid: 2 1
// texture: t r16uint 2 1: 7 65535
// out: out ushort 7 65535
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<ushort, access::read> t [[texture(0)]], device ushort *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 2 + p.x] = t.read(p).x;
}
