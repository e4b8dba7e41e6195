// section: 6.12 Texture Functions
// construct: texture3d
// grid: 2 2 2
// texture: t r32float 2 2 2: 0 1 2 3 4 5 6 7
// out: out float 2 3 4 5 6 7 8 9
#include <metal_stdlib>
using namespace metal;

kernel void test(texture3d<float, access::read> t [[texture(0)]], device float *out [[buffer(0)]],
                 uint3 p [[thread_position_in_grid]]) {
  out[(p.z * 2 + p.y) * 2 + p.x] = t.read(p).x + t.get_depth();
}
