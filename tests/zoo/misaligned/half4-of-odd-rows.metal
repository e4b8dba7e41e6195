// Rows of 10 halves: every second row starts in the middle of a half4.
// run: --grid 2,6 --group 2,6 --arg m=half[60] --arg out=half[48]
#include <metal_stdlib>
using namespace metal;

kernel void crop(device const half *m [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint2 p [[thread_position_in_grid]]) {
  device const half *row = m + p.y * 10;
#ifdef FIXED
  for (uint k = 0; k < 4; k++) out[p.y * 8 + p.x * 4 + k] = row[p.x * 4 + k];
#else
  device const half4 *v = (device const half4 *)row;
  ((device half4 *)out)[p.y * 2 + p.x] = v[p.x]; // !misaligned
#endif
}
