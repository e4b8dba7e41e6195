// section: 6.12 Texture Functions
// construct: read of rgba32float
// grid: 2 2
// texture: t rgba32float 2 2: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// out: out float4 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 2 + p.x] = t.read(p);
}
