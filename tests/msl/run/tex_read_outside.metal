// section: 6.12 Texture Functions
// construct: a read outside gives zero
// grid: 4 1
// texture: t r32float 2 1: 5 6
// out: out float 5 6 0 0
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 4 + p.x] = t.read(p).x;
}
