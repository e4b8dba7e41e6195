// 16 bits are too few for the index of a pixel in an image of 300 × 200.
// run: --grid 300,200 --group 32,4 --arg out=ushort[60000] --arg width=300
#include <metal_stdlib>
using namespace metal;

kernel void gradient(device ushort *out [[buffer(0)]],
                     constant short &width [[buffer(1)]],
                     ushort2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  int at = int(p.y) * width + p.x;
#else
  short at = short(p.y) * width + short(p.x);
#endif
  out[at] = p.x + p.y; // !out-of-bounds
}
