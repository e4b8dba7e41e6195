#include <metal_stdlib>
using namespace metal;

kernel void scan(device const float *x [[buffer(0)]],
                 device float       *y [[buffer(1)]],
                 constant uint      &n [[buffer(2)]],
                 uint t    [[thread_position_in_threadgroup]],
                 uint lane [[thread_index_in_simdgroup]],
                 uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float totals[8];
  float mine[4], sum = 0;
  for (uint k = 0; k < 4; k++) {
    uint i = t * 4 + k;
    sum += i < n ? x[i] : 0;
    mine[k] = sum;
  }
  float before = simd_prefix_exclusive_sum(sum);
  if (lane == 31) totals[simd] = before + sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 0; s <= simd; s++) before += totals[s];
  for (uint k = 0; k < 4; k++)
    if (t * 4 + k < n) y[t * 4 + k] = before + mine[k];
}
