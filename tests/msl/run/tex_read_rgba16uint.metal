// section: 6.12 Texture Functions
// construct: texture2d<ushort>, rgba16uint
// grid: 1 1
// texture: t rgba16uint 1 1: 1 2 3 65535
// out: out ushort4 1 2 3 65535
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<ushort, access::read> t [[texture(0)]], device ushort4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 1 + p.x] = t.read(p);
}
