// section: 6.12 Texture Functions
// construct: write to rgba8uint
// grid: 1 1
// texture: t rgba8uint 1 1:
// pixels: t 1 2 3 200
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<uint, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(uint4(1, 2, 3, 200), p);
}
