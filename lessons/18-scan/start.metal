#include <metal_stdlib>
using namespace metal;

// y[i] = the sum of x from the start of this threadgroup's 256 elements up to
// and with x[i]. There is a race in it.
kernel void group_scan(device const float *x [[buffer(0)]],
                       device float       *y [[buffer(1)]],
                       constant uint      &n [[buffer(2)]],
                       uint i    [[thread_position_in_grid]],
                       uint t    [[thread_position_in_threadgroup]],
                       uint lane [[thread_index_in_simdgroup]],
                       uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part[256];
  part[t] = i < n ? x[i] : 0;
  for (uint back = 1; back < 256; back *= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t >= back) part[t] += part[t - back];
  }
  if (i < n) y[i] = part[t];
}
