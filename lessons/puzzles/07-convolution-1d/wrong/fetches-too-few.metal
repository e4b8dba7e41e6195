#include <metal_stdlib>
using namespace metal;

kernel void convolve(device const float *x [[buffer(0)]],
                     constant float     *w [[buffer(1)]],
                     device float       *y [[buffer(2)]],
                     constant uint      &n [[buffer(3)]],
                     uint i [[thread_position_in_grid]],
                     uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[68];
  if (i < n) part[t] = x[i];
  if (t < 4 && i + 64 < n) part[t + 64] = x[i + 64];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i >= n) return;
  float sum = 0;
  for (uint k = 0; k < 5; k++) sum += part[t + k] * w[k];
  y[i] = sum;
}
