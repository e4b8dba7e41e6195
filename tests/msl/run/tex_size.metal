// section: 6.12 Texture Functions
// construct: get_width and get_height
// grid: 1 1
// texture: t r32float 4 3: 0 1 2 3 4 5 6 7 8 9 10 11
// out: out uint 403
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> t [[texture(0)]], device uint *out [[buffer(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  out[p.y * 1 + p.x] = t.get_width() * 100 + t.get_height();
}
