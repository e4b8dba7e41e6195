#include <metal_stdlib>
using namespace metal;

kernel void heat(device const float *before [[buffer(0)]],
                 device float       *after  [[buffer(1)]],
                 constant uint      &steps  [[buffer(2)]],
                 uint i      [[thread_position_in_grid]],
                 uint t      [[thread_position_in_threadgroup]],
                 uint length [[threads_per_threadgroup]]) {
  threadgroup float rod[256];
  rod[t] = before[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 0; s < steps; s++) {
    if (t > 0 && t < length - 1) {
      float mean = (rod[t - 1] + rod[t] + rod[t + 1]) / 3;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      rod[t] = mean;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  after[i] = rod[t];
}
