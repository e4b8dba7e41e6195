#include <metal_stdlib>
using namespace metal;

kernel void group_sums(device const float *x    [[buffer(0)]],
                       device float       *sums [[buffer(1)]],
                       constant uint      &n    [[buffer(2)]],
                       uint t [[thread_position_in_threadgroup]],
                       uint g [[threadgroup_position_in_grid]]) {
  threadgroup float part[64];
  float sum = 0;
  for (uint i = g * 256 + t; i < min(n, g * 256 + 256); i += 64) sum += x[i];
  part[t] = sum;
  for (uint apart = 32; apart > 0; apart /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < apart) part[t] += part[t + apart];
  }
  if (t == 0) sums[g] = part[0];
}
