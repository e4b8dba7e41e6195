// section: 6.12 Texture Functions
// construct: write to texture3d
// grid: 2 2 2
// texture: t r32float 2 2 2:
// pixels: t 0 1 2 3 4 5 6 7
#include <metal_stdlib>
using namespace metal;

kernel void test(texture3d<float, access::write> t [[texture(0)]], uint3 p [[thread_position_in_grid]]) {
  t.write(float4(p.x + 2 * p.y + 4 * p.z), p);
}
