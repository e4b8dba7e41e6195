#include <metal_stdlib>
using namespace metal;

// The mean of all elements: sum_simd, and what a group leaves is multiplied by
// 'scale': 1 in the first launch, 1 / n in the second. Dividing at the end
// keeps the digits that dividing every element would lose.
kernel void mean(device const float *x     [[buffer(0)]],
                 device float       *sums  [[buffer(1)]],
                 constant uint      &n     [[buffer(2)]],
                 constant float     &scale [[buffer(3)]],
                 uint i       [[thread_position_in_grid]],
                 uint threads [[threads_per_grid]],
                 uint lane    [[thread_index_in_simdgroup]],
                 uint simd    [[simdgroup_index_in_threadgroup]],
                 uint simds   [[simdgroups_per_threadgroup]],
                 uint group   [[threadgroup_position_in_grid]]) {
  threadgroup float part[32];
  float sum = 0;
  for (uint j = i; j < n; j += threads) sum += x[j];
  sum = simd_sum(sum);
  if (lane == 0) part[simd] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (simd == 0) {
    sum = simd_sum(lane < simds ? part[lane] : 0.0f);
    if (lane == 0) sums[group] = sum * scale;
  }
}
