// wrong: the first lane has no total
#include <metal_stdlib>
using namespace metal;

kernel void group_scan(device const float *x [[buffer(0)]],
                       device float       *y [[buffer(1)]],
                       constant uint      &n [[buffer(2)]],
                       uint i    [[thread_position_in_grid]],
                       uint t    [[thread_position_in_threadgroup]],
                       uint lane [[thread_index_in_simdgroup]],
                       uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float totals[8];
  float sum = simd_prefix_inclusive_sum(i < n ? x[i] : 0);
  if (lane == 0) totals[simd] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 0; s < simd; s++) sum += totals[s];
  if (i < n) y[i] = sum;
}
