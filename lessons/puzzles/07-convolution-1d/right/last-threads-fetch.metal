#include <metal_stdlib>
using namespace metal;

kernel void convolve(device const float *x [[buffer(0)]],
                     constant float     *w [[buffer(1)]],
                     device float       *y [[buffer(2)]],
                     constant uint      &n [[buffer(3)]],
                     uint i [[thread_position_in_grid]],
                     uint t [[thread_position_in_threadgroup]]) {
  threadgroup float part[68];
  if (i < n + 4) part[t] = x[i];
  if (t >= 60 && i + 4 < n + 4) part[t + 4] = x[i + 4];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n)
    y[i] = part[t] * w[0] + part[t + 1] * w[1] + part[t + 2] * w[2] +
           part[t + 3] * w[3] + part[t + 4] * w[4];
}
