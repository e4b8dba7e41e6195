#include <metal_stdlib>
using namespace metal;

kernel void scan(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint t    [[thread_position_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part[1024];
  for (uint k = 0; k < 4; k++)
    part[t + 256 * k] = t + 256 * k < n ? x[t + 256 * k] : 0;
  for (uint back = 1; back < 1024; back *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    float before[4];
    for (uint k = 0; k < 4; k++)
      before[k] = t + 256 * k >= back ? part[t + 256 * k - back] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint k = 0; k < 4; k++) part[t + 256 * k] += before[k];
  }
  for (uint k = 0; k < 4; k++)
    if (t + 256 * k < n) y[t + 256 * k] = part[t + 256 * k];
}
