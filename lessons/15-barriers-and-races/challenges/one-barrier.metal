#include <metal_stdlib>
using namespace metal;

kernel void heat(device const float *before [[buffer(0)]],
                 device float       *after  [[buffer(1)]],
                 constant uint      &steps  [[buffer(2)]],
                 uint i      [[thread_position_in_grid]],
                 uint t      [[thread_position_in_threadgroup]],
                 uint length [[threads_per_threadgroup]]) {
  threadgroup float rod[2][256];
  uint now = 0;
  rod[0][t] = before[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 0; s < steps; s++, now = 1 - now) {
    float mean = rod[now][t];
    if (t > 0 && t < length - 1)
      mean = (rod[now][t - 1] + mean + rod[now][t + 1]) / 3;
    rod[1 - now][t] = mean;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  after[i] = rod[now][t];
}
