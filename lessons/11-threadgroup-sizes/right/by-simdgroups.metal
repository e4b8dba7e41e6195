#include <metal_stdlib>
using namespace metal;

static uint position(uint group, uint size, uint simd, uint lane) {
  return group * size + simd * 32 + lane;
}

kernel void fill_positions(device uint *out [[buffer(0)]],
                           constant uint &n [[buffer(1)]],
                           uint simd [[simdgroup_index_in_threadgroup]],
                           uint lane [[thread_index_in_simdgroup]],
                           uint group [[threadgroup_position_in_grid]],
                           uint size  [[threads_per_threadgroup]]) {
  uint i = position(group, size, simd, lane);
  if (i < n) out[i] = 10 * i + 7;
}
