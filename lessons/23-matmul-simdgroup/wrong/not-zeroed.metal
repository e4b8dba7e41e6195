#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

kernel void matmul(device const float *a [[buffer(0)]],  // m rows of k
                   device const float *b [[buffer(1)]],  // k rows of n
                   device float       *c [[buffer(2)]],  // m rows of n
                   constant uint &m [[buffer(3)]],       // all multiples of 8
                   constant uint &n [[buffer(4)]],
                   constant uint &k [[buffer(5)]],
                   uint2 group [[threadgroup_position_in_grid]]) {
  uint row = group.y * 8, column = group.x * 8;
  simdgroup_float8x8 left, right, sum;
  for (uint i = 0; i < k; i += 8) {
    simdgroup_load(left, a + row * k + i, k);
    simdgroup_load(right, b + i * n + column, n);
    simdgroup_multiply_accumulate(sum, left, right, sum);
  }
  simdgroup_store(sum, c + row * n + column, n);
}
