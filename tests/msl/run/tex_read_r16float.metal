// section: 6.12 Texture Functions
// construct: r16float
// grid: 2 1
// texture: t r16float 2 1: 0.5 -2
// out: out half 0.5 -2
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<half, access::read> t [[texture(0)]], device half *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 2 + p.x] = t.read(p).x;
}
