// wrong: the wrong piece of b
#include <metal_stdlib>
using namespace metal;

kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float       *c [[buffer(2)]],
                   constant uint &m [[buffer(3)]],
                   constant uint &n [[buffer(4)]],
                   constant uint &k [[buffer(5)]],
                   uint2 group [[threadgroup_position_in_grid]]) {
  uint row = group.y * 16, column = group.x * 16;
  simdgroup_float8x8 top, bottom, left, right, sum[4];
  for (uint s = 0; s < 4; s++)
    sum[s] = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  for (uint i = 0; i < k; i += 8) {
    simdgroup_load(top, a + row * k + i, k);
    simdgroup_load(bottom, a + (row + 8) * k + i, k);
    simdgroup_load(left, b + i * n + column, n);
    simdgroup_load(right, b + i * n + column + 8, n);
    simdgroup_multiply_accumulate(sum[0], top, left, sum[0]);
    simdgroup_multiply_accumulate(sum[1], top, right, sum[1]);
    simdgroup_multiply_accumulate(sum[2], bottom, right, sum[2]);
    simdgroup_multiply_accumulate(sum[3], bottom, right, sum[3]);
  }
  for (uint s = 0; s < 4; s++)
    simdgroup_store(sum[s], c + (row + s / 2 * 8) * n + column + s % 2 * 8, n);
}
