// section: 6.12 Texture Functions
// construct: from one texture to another
// grid: 2 2
// texture: from rgba8unorm 2 2: 0..15
// texture: to rgba8unorm 2 2:
// pixels: to 3 2 1 0 7 6 5 4 11 10 9 8 15 14 13 12
#include <metal_stdlib>
using namespace metal;

kernel void test(texture2d<float, access::read> from [[texture(0)]],
                 texture2d<float, access::write> to [[texture(1)]],
                 uint2 p [[thread_position_in_grid]]) {
  to.write(from.read(p).wzyx, p);
}
