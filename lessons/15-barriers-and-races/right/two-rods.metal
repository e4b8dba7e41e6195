#include <metal_stdlib>
using namespace metal;

kernel void heat(device const float *before [[buffer(0)]],
                 device float       *after  [[buffer(1)]],
                 constant uint      &steps  [[buffer(2)]],
                 uint i      [[thread_position_in_grid]],
                 uint t      [[thread_position_in_threadgroup]],
                 uint length [[threads_per_threadgroup]]) {
  // read one, write the other: a single barrier for each step
  threadgroup float rod[2][256];
  rod[0][t] = before[i];
  for (uint s = 0; s < steps; s++) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    threadgroup float *from = rod[s % 2], *to = rod[1 - s % 2];
    to[t] = t > 0 && t + 1 < length
                ? (from[t - 1] + from[t] + from[t + 1]) / 3
                : from[t];
  }
  after[i] = rod[steps % 2][t];
}
