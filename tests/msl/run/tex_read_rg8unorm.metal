// section: 6.12 Texture Functions
// construct: rg8unorm
// grid: 1 1
// texture: t rg8unorm 1 1: 255 51
// out: out float4 within 1e-06: 1 0.2 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 1 + p.x] = t.read(p);
}
