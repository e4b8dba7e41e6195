#include <metal_stdlib>
using namespace metal;

kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float       *c [[buffer(2)]],
                   constant uint &m [[buffer(3)]],
                   constant uint &n [[buffer(4)]],
                   constant uint &k [[buffer(5)]],
                   uint2 group [[threadgroup_position_in_grid]],
                   uint t [[thread_index_in_threadgroup]]) {
  threadgroup float block[64];
  uint row = group.y * 8, column = group.x * 8;
  simdgroup_float8x8 left, right, sum;
  sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint i = 0; i < k; i += 8) {
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint e = t; e < 64; e += 32)
      block[e % 8 * 8 + e / 8] = b[(column + e / 8) * k + i + e % 8];
    threadgroup_barrier(mem_flags::mem_threadgroup);
    simdgroup_load(left, a + row * k + i, k);
    simdgroup_load(right, block, 8);
    simdgroup_multiply_accumulate(sum, left, right, sum);
  }
  simdgroup_store(sum, c + row * n + column, n);
}
