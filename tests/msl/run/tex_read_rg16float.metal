// section: 6.12 Texture Functions
// construct: rg16float
// grid: 1 1
// texture: t rg16float 1 1: 0.5 -2
// out: out float4 0.5 -2 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 1 + p.x] = t.read(p);
}
