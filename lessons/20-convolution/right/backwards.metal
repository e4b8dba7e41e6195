#include <metal_stdlib>
using namespace metal;

kernel void convolve(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     constant float     *w [[buffer(2)]],  // 9 weights
                     constant uint      &n [[buffer(3)]],
                     uint i     [[thread_position_in_grid]],
                     uint t     [[thread_position_in_threadgroup]],
                     uint group [[threadgroup_position_in_grid]]) {
  threadgroup float part[264];
  for (int k = 263 - int(t); k >= 0; k -= 256) {
    int at = int(group * 256) + k - 4;
    part[k] = 0;
    if (at >= 0 && at < int(n)) part[k] = x[at];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i >= n) return;
  float4 low = 0;
  float sum = w[8] * part[t + 8];
  for (uint j = 0; j < 4; j++)
    low[j] = w[j] * part[t + j] + w[j + 4] * part[t + j + 4];
  y[i] = sum + low.x + low.y + low.z + low.w;
}
