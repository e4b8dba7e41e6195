// section: 6.12 Texture Functions
// construct: write to r32float
// grid: 3 2
// texture: t r32float 3 2:
// pixels: t 0 1 2 10 11 12
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(float4(p.x + 10 * p.y), p);
}
