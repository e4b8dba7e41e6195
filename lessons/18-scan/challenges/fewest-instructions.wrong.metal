// wrong: the last pair is missing in the total
#include <metal_stdlib>
using namespace metal;

kernel void group_scan(device const float *x [[buffer(0)]],
                       device float       *y [[buffer(1)]],
                       constant uint      &n [[buffer(2)]],
                       uint t    [[thread_position_in_threadgroup]],
                       uint g    [[threadgroup_position_in_grid]],
                       uint lane [[thread_index_in_simdgroup]],
                       uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float totals[4];
  uint i = g * 256 + 2 * t;
  float a = i < n ? x[i] : 0, b = i + 1 < n ? x[i + 1] : 0;
  float before = simd_prefix_exclusive_sum(a + b);
  if (lane == 31) totals[simd] = before;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 0; s < simd; s++) before += totals[s];
  if (i < n) y[i] = before + a;
  if (i + 1 < n) y[i + 1] = before + a + b;
}
