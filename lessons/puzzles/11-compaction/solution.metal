#include <metal_stdlib>
using namespace metal;

kernel void keep_positive(device const float *x     [[buffer(0)]],
                          device float       *y     [[buffer(1)]],
                          device uint        *count [[buffer(2)]],
                          constant uint      &n     [[buffer(3)]],
                          uint t    [[thread_position_in_threadgroup]],
                          uint lane [[thread_index_in_simdgroup]],
                          uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup uint totals[8];
  float value = t < n ? x[t] : 0;
  uint keep = value > 0;
  uint place = simd_prefix_exclusive_sum(keep);
  if (lane == 31) totals[simd] = place + keep;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = 0; s < simd; s++) place += totals[s];
  if (keep) y[place] = value;
  if (t == 255) count[0] = place + keep;
}
