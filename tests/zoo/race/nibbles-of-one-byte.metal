// Two threads put their four bits into the same byte.
// run: --grid 256 --group 64 --arg x=float[256] --arg q=uchar[128]:zero
#include <metal_stdlib>
using namespace metal;

kernel void quantise(device const float *x [[buffer(0)]],
                     device uchar *q [[buffer(1)]],
                     uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  if (i % 2) return;
  q[i / 2] = uchar(x[i] * 15) | uchar(x[i + 1] * 15) << 4;
#else
  q[i / 2] |= uchar(x[i] * 15) << i % 2 * 4; // !race
#endif
}
