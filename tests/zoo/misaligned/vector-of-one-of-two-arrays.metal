// A pointer to one of two arrays, and vectors from the middle of it.
// run: --grid 64 --group 32 --arg out=float2[64]
#include <metal_stdlib>
using namespace metal;

kernel void pairs(device float2 *out [[buffer(0)]],
                  uint i [[thread_position_in_grid]]) {
  float a[8] = {0, 1, 2, 3, 4, 5, 6, 7}, b[8] = {7, 6, 5, 4, 3, 2, 1, 0};
  thread float *p = (i & 1) ? a : b;
#ifdef FIXED
  out[i] = *(thread float2 *)(p + 2 * (i % 4));
#else
  out[i] = *(thread float2 *)(p + i % 7); // !misaligned
#endif
}
