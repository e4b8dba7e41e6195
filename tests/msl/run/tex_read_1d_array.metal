// section: 6.12 Texture Functions
// construct: texture1d_array
// grid: 2
// texture: t r32float 2 x 2: 1 2 3 4
// out: out float 3 4
#include <metal_stdlib>
using namespace metal;

kernel void test(texture1d_array<float, access::read> t [[texture(0)]], device float *out [[buffer(0)]],
                 uint p [[thread_position_in_grid]]) {
  out[p] = t.read(p, 1).x;
}
