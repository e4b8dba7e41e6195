// section: 6.12 Texture Functions
// construct: write to r32uint
// grid: 2 1
// texture: t r32uint 2 1:
// pixels: t 4000000000 4000000001
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<uint, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(uint4(p.x + 4000000000u), p);
}
