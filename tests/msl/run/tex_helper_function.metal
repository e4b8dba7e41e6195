// section: 6.12 Texture Functions
// construct: a texture passed to a function
// grid: 4 1
// texture: t r32float 4 1: 1 2 3 4
// out: out float 10 20 30 40
#include <metal_stdlib>
using namespace metal;

float tenfold(texture2d<float, access::read> t, uint2 p) { return t.read(p).x * 10; }
kernel void test(texture2d<float, access::read> t [[texture(0)]], device float *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.x] = tenfold(t, p);
}
