// Any float can be the first of four, but no float4 can begin there.
// run: --grid 29 --group 29 --arg x=float[32] --arg y=float[29]
#include <metal_stdlib>
using namespace metal;

kernel void moving_sum(device const float *x [[buffer(0)]],
                       device float *y [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  float4 v = float4(*(device const packed_float4 *)(x + i));
#else
  float4 v = *(device const float4 *)(x + i); // !misaligned
#endif
  y[i] = v.x + v.y + v.z + v.w;
}
