#include <metal_stdlib>
using namespace metal;

kernel void centre(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant uint      &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]],
                   uint g [[threadgroup_position_in_grid]]) {
  uint count = min(64u, n - g * 64);  // elements of this team
  threadgroup float table[64];
  if (t < count) table[t] = x[g * 64 + t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t >= count) return;
  float4 sums = 0;
  for (uint k = 0; k < count; k++) sums[k % 4] += table[k];
  y[i] = x[i] - (sums.x + sums.y + sums.z + sums.w) / count;
}
