#include <metal_stdlib>
using namespace metal;

kernel void segmented_scan(device const float *x     [[buffer(0)]],
                           device const uint  *start [[buffer(1)]],
                           device float       *y     [[buffer(2)]],
                           constant uint      &n     [[buffer(3)]],
                           uint t [[thread_position_in_threadgroup]]) {
  threadgroup float sums[256];
  sums[t] = t < n ? x[t] : 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint back = 1; back < 256; back *= 2) {
    float before = t >= back && t < n && start[t] == 0 ? sums[t - back] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sums[t] += before;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t < n) y[t] = sums[t];
}
