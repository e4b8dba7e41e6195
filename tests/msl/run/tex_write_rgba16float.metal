// section: 6.12 Texture Functions
// construct: write to rgba16float
// grid: 1 1
// texture: t rgba16float 1 1:
// pixels: t 0.5 1.5 -2 8
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<half, access::write> t [[texture(0)]], uint2 p [[thread_position_in_grid]]) {
  t.write(half4(0.5h, 1.5h, -2.0h, 8.0h), p);
}
