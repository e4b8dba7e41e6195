// Four floats at a time from anywhere in an array of the thread.
// run: --grid 64 --group 32 --arg out=float4[64]
#include <metal_stdlib>
using namespace metal;

kernel void windows(device float4 *out [[buffer(0)]],
                    uint i [[thread_position_in_grid]]) {
  float a[12];
  for (int k = 0; k < 12; k++) a[k] = i + k;
#ifdef FIXED
  thread float *p = a + i % 4;
  out[i] = float4(p[0], p[1], p[2], p[3]);
#else
  out[i] = *(thread float4 *)(a + i % 4); // !misaligned
#endif
}
