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
  bool keep = value > 0;
  uint mask = uint(ulong(simd_ballot(keep)));
  uint place = popcount(mask & ((1u << lane) - 1));
  if (lane == 0) totals[simd] = popcount(mask);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint all = 0;
  for (uint s = 0; s < 8; s++) {
    if (s < simd) place += totals[s];
    all += totals[s];
  }
  if (keep) y[place] = value;
  if (t == 0) count[0] = all;
}
