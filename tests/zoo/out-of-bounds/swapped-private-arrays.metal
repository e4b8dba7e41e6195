// Two arrays of the thread that change places in a loop; the last reads past one.
// run: --grid 64 --group 32 --arg out=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void smooth(device float *out [[buffer(0)]],
                   uint i [[thread_position_in_grid]]) {
  float a[8], b[8];
  for (int k = 0; k < 8; k++) a[k] = i + k, b[k] = 0;
  thread float *from = a, *to = b;
  for (int round = 0; round < 3; round++) {
#ifdef FIXED
    for (int k = 0; k < 7; k++)
#else
    for (int k = 0; k < 8; k++)
#endif
      to[k] = from[k] + from[k + 1]; // !out-of-bounds
    to[7] = from[7];
    thread float *last = from;
    from = to;
    to = last;
  }
  out[i] = from[i % 8];
}
