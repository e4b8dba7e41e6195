#include <metal_stdlib>
using namespace metal;

kernel void matmul(device const float *a [[buffer(0)]],
                   device const float *b [[buffer(1)]],
                   device float       *c [[buffer(2)]],
                   constant uint &m [[buffer(3)]],
                   constant uint &n [[buffer(4)]],
                   constant uint &k [[buffer(5)]],
                   uint2 group [[threadgroup_position_in_grid]]) {
  for (uint part = 0; part < 4; part++) {
    uint row = group.y * 16 + part / 2 * 8;
    uint column = group.x * 16 + part % 2 * 8;
    simdgroup_float8x8 left, right, sum;
    sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
    for (uint i = 0; i < k; i += 8) {
      simdgroup_load(left, a + row * k + i, k);
      simdgroup_load(right, b + i * n + column, n);
      simdgroup_multiply_accumulate(sum, left, right, sum);
    }
    simdgroup_store(sum, c + row * n + column, n);
  }
}
