// section: 6.12 Texture Functions
// construct: write to a layer of texture2d_array
// grid: 2 1
// texture: t r32float 2 1 x 2: 1 2 3 4
// pixels: t 1 2 10 11
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d_array<float, access::write> t [[texture(0)]],
                 uint2 p [[thread_position_in_grid]]) {
  t.write(float4(p.x + 10.0f), p, 1);
}
