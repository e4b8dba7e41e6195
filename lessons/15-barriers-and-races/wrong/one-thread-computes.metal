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
  for (uint s = 0; s < steps && t == 0; s++) {
    float left = rod[0];
    for (uint k = 1; k + 1 < length; k++) {
      float own = rod[k];
      rod[k] = (left + own + rod[k + 1]) / 3;
      left = own;
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  after[i] = rod[t];
}
