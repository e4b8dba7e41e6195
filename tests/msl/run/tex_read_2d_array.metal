// section: 6.12 Texture Functions
// construct: texture2d_array
// grid: 2 2
// texture: t r32float 2 2 x 2: 0 1 2 3 4 5 6 7
// out: out float 6 7 8 9
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d_array<float, access::read> t [[texture(0)]], device float *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 2 + p.x] = t.read(p, 1).x + t.get_array_size();
}
