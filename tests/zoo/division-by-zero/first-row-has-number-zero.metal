// Multiples are counted by the row's number, and rows begin at 0.
// run: --grid 10,10 --group 10,10 --arg out=uchar[100]
#include <metal_stdlib>
using namespace metal;

kernel void divides(device uchar *out [[buffer(0)]],
                    uint2 p [[thread_position_in_grid]]) {
#ifdef FIXED
  out[p.y * 10 + p.x] = (p.x + 1) % (p.y + 1) == 0;
#else
  out[p.y * 10 + p.x] = p.x % p.y == 0; // !division-by-zero
#endif
}
