// section: 6.12 Texture Functions
// construct: atomic_fetch_max on a texture
// grid: 32 1
// texture: t r32uint 1 1: 3
// pixels: t 30
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<uint, access::read_write> t [[texture(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  t.atomic_fetch_max(uint2(0, 0), uint4(p.x * 7 % 31));
}
