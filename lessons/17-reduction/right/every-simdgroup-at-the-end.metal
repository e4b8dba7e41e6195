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
  float v = 0;
  if (i < n) v = x[i];
  v = simd_sum(v);
  if (lane == 31) part[simd] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float all = simd_sum(part[lane % 8]) / 4;
  if (t == 0) sums[g] = all;
}
