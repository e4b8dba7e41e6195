// section: 6.12 Texture Functions
// construct: write to r8unorm
// grid: 3 1
// texture: t r8unorm 3 1:
// pixels: t 0 128 255
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(float4(p.x * 0.5), p);
}
