// section: 6.12 Texture Functions
// construct: write to rgba32float
// grid: 1 1
// texture: t rgba32float 1 1:
// pixels: t 1 2 3 4
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(float4(1, 2, 3, 4), p);
}
