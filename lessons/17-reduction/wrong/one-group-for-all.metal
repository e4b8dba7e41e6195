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
  if (g > 0) return;
  threadgroup float part[8];
  uint groups = (n + 255) / 256;
  for (uint k = 0; k < groups; k++) {
    uint at = k * 256 + t;
    float sum = simd_sum(at < n ? x[at] : 0.0f);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (lane == 0) part[simd] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (simd == 0) {
      sum = simd_sum(lane < 8 ? part[lane] : 0.0f);
      if (lane == 0) sums[k] = sum;
    }
  }
}
