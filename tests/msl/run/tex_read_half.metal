// section: 6.12 Texture Functions
// construct: texture2d<half>
// grid: 1 1
// texture: t rgba8unorm 1 1: 0 255 0 255
// out: out half4 0 1 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<half, access::read> t [[texture(0)]], device half4 *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 1 + p.x] = t.read(p);
}
