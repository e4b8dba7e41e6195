// The grid is rounded up to whole groups, and the last ones lie outside of the
// texture.
// run: --groups 5,3 --group 8,8 --arg in=rgba8unorm[36,20] --arg out=rgba8unorm[36,20]
#include <metal_stdlib>
using namespace metal;

kernel void invert(texture2d<float, access::read> in [[texture(0)]],
                   texture2d<float, access::write> out [[texture(1)]],
                   uint2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  if (p.x >= out.get_width() || p.y >= out.get_height()) return;
#endif
  float4 c = in.read(p); // !out-of-bounds
  out.write(float4(1 - c.rgb, c.a), p); // !out-of-bounds
}
