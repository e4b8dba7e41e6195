// section: 6.12 Texture Functions
// construct: write to bgra8unorm
// grid: 1 1
// texture: t bgra8unorm 1 1:
// pixels: t 0 51 255 102
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(float4(1.0, 0.2, 0.0, 0.4), p);
}
