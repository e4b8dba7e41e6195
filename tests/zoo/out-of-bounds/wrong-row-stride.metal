// Rows are 'width' apart, not 'height'.
// run: --grid 40,30 --group 8,8 --arg image=uchar[1200] --arg out=float[1200] --arg size=40,30
#include <metal_stdlib>
using namespace metal;

kernel void brighten(device const uchar *image [[buffer(0)]],
                     device float *out [[buffer(1)]],
                     constant uint2 &size [[buffer(2)]],
                     uint2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  uint at = p.y * size.x + p.x;
  uint in = at;
#else
  uint at = p.y * size.x + p.x;
  uint in = p.x * size.x + p.y;
#endif
  out[at] = float(image[in]) * 1.2f; // !out-of-bounds
}
