#include <metal_stdlib>
using namespace metal;

// Declared in another order, bound in the one that was asked for.
kernel void block_sums(uint place [[thread_position_in_threadgroup]],
                       uint block [[threadgroup_position_in_grid]],
                       uint simd [[simdgroup_index_in_threadgroup]],
                       uint lane [[thread_index_in_simdgroup]],
                       constant uint &n      [[buffer(2)]],
                       device float *sums    [[buffer(1)]],
                       device const float *x [[buffer(0)]]) {
  threadgroup float part[8];
  uint i = block * 256 + place;
  float v = 0;
  if (i < n) v = x[i];
  v = simd_sum(v);
  if (simd_is_first()) part[simd] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float total = simd_sum(lane < 8 ? part[lane] : 0.0f);
  if (simd == 0 && lane == 0) sums[block] = total;
}
