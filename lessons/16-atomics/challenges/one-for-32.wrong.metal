// wrong: two lanes add the sum
#include <metal_stdlib>
using namespace metal;

kernel void count_positive(device const float *x     [[buffer(0)]],
                           device atomic_uint *count [[buffer(1)]],
                           constant uint      &n     [[buffer(2)]],
                           uint i    [[thread_position_in_grid]],
                           uint lane [[thread_index_in_simdgroup]],
                           uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup uint part[8];
  uint many = simd_sum(i < n && x[i] > 0 ? 1u : 0u);
  if (lane == 0) part[simd] = many;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simd > 0) return;
  many = simd_sum(lane < 8 ? part[lane] : 0u);
  if (lane < 2) atomic_fetch_add_explicit(count, many, memory_order_relaxed);
}
