// section: 6.12 Texture Functions
// construct: a write outside does nothing
// grid: 5 3
// texture: t r32float 2 1:
// pixels: t 1 2
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(float4(p.x + 1.0f), p);
}
