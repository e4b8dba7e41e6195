// section: 6.12 Texture Functions
// construct: rgba8unorm reads as 0 to 1
// grid: 2 1
// texture: t rgba8unorm 2 1: 0 51 102 255 10 20 30 40
// out: out float4 within 1e-06: 0 0.2 0.4 1 0.0392156863 0.0784313725 0.117647059 0.156862745
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 2 + p.x] = t.read(p);
}
