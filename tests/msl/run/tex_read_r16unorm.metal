// section: 6.12 Texture Functions
// construct: r16unorm
// grid: 2 1
// texture: t r16unorm 2 1: 0 65535
// out: out float 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 2 + p.x] = t.read(p).x;
}
