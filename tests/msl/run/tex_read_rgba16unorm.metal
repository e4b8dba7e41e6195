// section: 6.12 Texture Functions
// construct: rgba16unorm
// grid: 1 1
// texture: t rgba16unorm 1 1: 0 65535 13107 65535
// out: out float4 within 1e-06: 0 1 0.2 1
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 1 + p.x] = t.read(p);
}
