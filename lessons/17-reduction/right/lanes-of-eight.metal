#include <metal_stdlib>
using namespace metal;

kernel void group_sums(device const float *x    [[buffer(0)]],
                       device float       *sums [[buffer(1)]],
                       constant uint      &n    [[buffer(2)]],
                       uint i    [[thread_position_in_grid]],
                       uint t    [[thread_position_in_threadgroup]],
                       uint g    [[threadgroup_position_in_grid]],
                       uint lane [[thread_index_in_simdgroup]],
                       uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part[8];
  float sum = simd_sum(i < n ? x[i] : 0.0f);
  if (lane == simd) part[simd] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 8) {
    sum = simd_sum(part[t]);
    if (t == 0) sums[g] = sum;
  }
}
