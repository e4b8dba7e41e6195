// section: 6.12 Texture Functions
// construct: write to r32sint
// grid: 2 1
// texture: t r32sint 2 1:
// pixels: t -1 -2
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<int, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(int4(-int(p.x) - 1), p);
}
