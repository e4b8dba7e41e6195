#include <metal_stdlib>
using namespace metal;

// The sum of all elements with simd_sum: the lanes of a SIMD-group are added
// without memory and without a barrier. Only one number per SIMD-group goes
// through threadgroup memory. As with sum_tree, a second launch with a single
// group sums what the groups leave.
kernel void sum_simd(device const float *x    [[buffer(0)]],
                     device float       *sums [[buffer(1)]],
                     constant uint      &n    [[buffer(2)]],
                     uint i       [[thread_position_in_grid]],
                     uint threads [[threads_per_grid]],
                     uint lane    [[thread_index_in_simdgroup]],
                     uint simd    [[simdgroup_index_in_threadgroup]],
                     uint simds   [[simdgroups_per_threadgroup]],
                     uint group   [[threadgroup_position_in_grid]]) {
  threadgroup float part[32];  // 1024 threads are 32 SIMD-groups at most
  float sum = 0;
  for (uint j = i; j < n; j += threads) sum += x[j];
  sum = simd_sum(sum);
  if (lane == 0) part[simd] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (simd == 0) {
    sum = simd_sum(lane < simds ? part[lane] : 0.0f);
    if (lane == 0) sums[group] = sum;
  }
}
