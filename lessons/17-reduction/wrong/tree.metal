#include <metal_stdlib>
using namespace metal;

// Right, but it spends eight barriers where one would do.
kernel void group_sums(device const float *x    [[buffer(0)]],
                       device float       *sums [[buffer(1)]],
                       constant uint      &n    [[buffer(2)]],
                       uint i    [[thread_position_in_grid]],
                       uint t    [[thread_position_in_threadgroup]],
                       uint g    [[threadgroup_position_in_grid]],
                       uint lane [[thread_index_in_simdgroup]],
                       uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float part[256];
  part[t] = i < n ? x[i] : 0;
  for (uint half_way = 128; half_way > 0; half_way /= 2) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (t < half_way) part[t] += part[t + half_way];
  }
  if (t == 0) sums[g] = part[0];
}
