// section: 6.12 Texture Functions
// construct: texture1d
// grid: 4
// texture: t r32float 4: 1 2 3 4
// out: out float 2 4 6 8
#include <metal_stdlib>
using namespace metal;

kernel void test(texture1d<float, access::read> t [[texture(0)]], device float *out [[buffer(0)]],
                 uint p [[thread_position_in_grid]]) {
  out[p] = t.read(p).x * 2;
}
