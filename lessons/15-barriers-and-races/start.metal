#include <metal_stdlib>
using namespace metal;

// A rod in threadgroup memory: in each step every inner point becomes the mean
// of itself and its neighbours. Something is wrong with it.
kernel void heat(device const float *before [[buffer(0)]],
                 device float       *after  [[buffer(1)]],
                 constant uint      &steps  [[buffer(2)]],
                 uint i      [[thread_position_in_grid]],
                 uint t      [[thread_position_in_threadgroup]],
                 uint length [[threads_per_threadgroup]]) {
  threadgroup float rod[256];
  rod[t] = before[i];
  for (uint s = 0; s < steps; s++) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t > 0 && t < length - 1)
      rod[t] = (rod[t - 1] + rod[t] + rod[t + 1]) / 3;
  }
  after[i] = rod[t];
}
