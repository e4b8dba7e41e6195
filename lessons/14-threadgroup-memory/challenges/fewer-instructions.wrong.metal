// wrong: adds its own sum twice
#include <metal_stdlib>
using namespace metal;

kernel void centre(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant uint      &n [[buffer(2)]],
                   uint i    [[thread_position_in_grid]],
                   uint g    [[threadgroup_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]],
                   uint simd [[simdgroup_index_in_threadgroup]]) {
  threadgroup float sums[2];
  float mine = i < n ? x[i] : 0, sum = simd_sum(mine);
  if (lane == 0) sums[simd] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < n) y[i] = mine - (sum + sums[simd]) / min(64u, n - g * 64);
}
