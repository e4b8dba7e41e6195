// Turned over, column 0 becomes column w, which is one too far.
// run: --grid 24,8 --group 8,8 --arg in=rgba32float[24,8] --arg out=rgba32float[24,8]
#include <metal_stdlib>
using namespace metal;

kernel void mirror(texture2d<float, access::read> in [[texture(0)]],
                   texture2d<float, access::write> out [[texture(1)]],
                   uint2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  uint x = in.get_width() - 1 - p.x;
#else
  uint x = in.get_width() - p.x;
#endif
  out.write(in.read(uint2(x, p.y)), p); // !out-of-bounds
}
