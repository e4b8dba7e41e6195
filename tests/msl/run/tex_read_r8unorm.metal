// section: 6.12 Texture Functions
// construct: r8unorm
// grid: 4 1
// texture: t r8unorm 4 1: 0 51 102 255
// out: out float within 1e-06: 0 0.2 0.4 1
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 4 + p.x] = t.read(p).x;
}
