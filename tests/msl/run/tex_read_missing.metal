// section: 6.12 Texture Functions
// construct: channels that a format has not are 0, 0, 1
// grid: 2 1
// texture: t r32float 2 1: 5 6
// out: out float4 5 0 0 1 6 0 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 2 + p.x] = t.read(p);
}
