// section: 6.12 Texture Functions
// construct: write to rgba8unorm rounds and clamps
// grid: 2 1
// texture: t rgba8unorm 2 1:
// pixels: t 128 51 0 255 255 51 0 255
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(float4(p.x == 0 ? 0.5 : 2.0, 0.2, -1.0, 1.0), p);
}
