#include <metal_stdlib>
using namespace metal;

// The sum of x · y in one launch: the groups add what they found to one place,
// with one atomic addition per group instead of one per element. total must be
// 0 before.
kernel void dot(device const float  *x     [[buffer(0)]],
                device const float  *y     [[buffer(1)]],
                device atomic_float *total [[buffer(2)]],
                constant uint       &n     [[buffer(3)]],
                uint i       [[thread_position_in_grid]],
                uint threads [[threads_per_grid]],
                uint lane    [[thread_index_in_simdgroup]],
                uint simd    [[simdgroup_index_in_threadgroup]],
                uint simds   [[simdgroups_per_threadgroup]]) {
  threadgroup float part[32];
  float sum = 0;
  for (uint j = i; j < n; j += threads) sum += x[j] * y[j];
  sum = simd_sum(sum);
  if (lane == 0) part[simd] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);

  if (simd == 0) {
    sum = simd_sum(lane < simds ? part[lane] : 0.0f);
    if (lane == 0) atomic_fetch_add_explicit(total, sum, memory_order_relaxed);
  }
}
