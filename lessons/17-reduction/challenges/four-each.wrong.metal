// wrong: half of the group is left out
#include <metal_stdlib>
using namespace metal;

kernel void group_sums(device const float *x    [[buffer(0)]],
                       device float       *sums [[buffer(1)]],
                       constant uint      &n    [[buffer(2)]],
                       uint t    [[thread_position_in_threadgroup]],
                       uint g    [[threadgroup_position_in_grid]],
                       uint lane [[thread_index_in_simdgroup]],
                       uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float other;
  uint first = g * 256 + t * 4;
  float sum = 0;
  if (first + 4 <= n) {
    float4 v = *(device const float4 *)(x + first);
    sum = (v.x + v.y) + (v.z + v.w);
  } else {
    for (uint i = first; i < n; i++) sum += x[i];
  }
  sum = simd_sum(sum);
  if (simd == 1 && lane == 0) other = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) sums[g] = sum;
}
