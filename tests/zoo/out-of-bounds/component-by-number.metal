// A vector has the components 0 to 3; the number comes from the data.
// run: --grid 64 --group 32 --arg x=float4[64] --arg axis=uint[64]:iota --arg y=float[64]
#include <metal_stdlib>
using namespace metal;

kernel void along(device const float4 *x [[buffer(0)]],
                  device const uint *axis [[buffer(1)]],
                  device float *y [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  uint k = axis[i] & 3;
#else
  uint k = axis[i];
#endif
  float4 v = x[i];
  y[i] = v[k]; // !out-of-bounds
}
