// section: 6.12 Texture Functions
// construct: read of rg32float
// grid: 2 1
// texture: t rg32float 2 1: 5 6 7 8
// out: out float4 5 6 0 1 7 8 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 2 + p.x] = t.read(p);
}
