// section: 6.12 Texture Functions
// construct: read of texture2d<float>, r32float
// grid: 4 3
// texture: t r32float 4 3: 0 1 2 3 4 5 6 7 8 9 10 11
// out: out float 0 1 2 3 4 5 6 7 8 9 10 11
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device float *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 4 + p.x] = t.read(p).x;
}
