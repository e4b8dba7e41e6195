// Pairs are written from an odd place on.
// run: --grid 8 --group 8 --arg out=float[17]:zero
#include <metal_stdlib>
using namespace metal;

kernel void pairs(device float *out [[buffer(0)]],
                  uint i [[thread_position_in_grid]]) {
  float2 v = float2(i, i * 2);
#ifdef FIXED
  out[1 + 2 * i] = v.x;
  out[2 + 2 * i] = v.y;
  if (i == 0) out[0] = 8;
#else
  device float2 *pair = (device float2 *)(out + 1);
  pair[i] = v; // !misaligned
  if (i == 0) out[0] = 8;
#endif
}
