// section: 6.12 Texture Functions
// construct: write to r16uint clamps
// grid: 2 1
// texture: t r16uint 2 1:
// pixels: t 5 65535
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<uint, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(uint4(p.x == 0 ? 5 : 70000), p);
}
