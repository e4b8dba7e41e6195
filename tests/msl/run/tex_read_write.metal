// section: 6.12 Texture Functions
// construct: access::read_write
// grid: 3 1
// texture: t r32float 3 1: 1 2 3
// pixels: t 2 4 6
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read_write> t [[texture(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  t.write(t.read(p) * 2.0f, p);
}
