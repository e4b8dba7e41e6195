// Packed positions are 12 bytes apart; a float3 wants 16.
// run: --grid 10 --group 10 --arg xyz=float[32] --arg length=float[10]
#include <metal_stdlib>
using namespace metal;

kernel void lengths(device const float *xyz [[buffer(0)]],
                    device float *length [[buffer(1)]],
                    uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  float3 p = float3(((device const packed_float3 *)xyz)[i]);
#else
  float3 p = *(device const float3 *)(xyz + 3 * i); // !misaligned
#endif
  length[i] = sqrt(dot(p, p));
}
