#include <metal_stdlib>
using namespace metal;

kernel void centre(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant uint      &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]],
                   uint g [[threadgroup_position_in_grid]]) {
  threadgroup float table[64];
  if (i < n) table[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i >= n) return;
  float sum = 0;
  for (uint k = 0; k < 64; k++) sum += table[k];
  y[i] = table[t] - sum / 64;
}
