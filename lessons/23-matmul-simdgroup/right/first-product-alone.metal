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
  device const float *from_a = a + group.y * 8 * k, *from_b = b + group.x * 8;
  simdgroup_float8x8 left, right, sum;
  simdgroup_load(left, from_a, k);
  simdgroup_load(right, from_b, n);
  simdgroup_multiply(sum, left, right);
  for (uint i = 8; i < k; i += 8) {
    simdgroup_load(left, from_a + i, k);
    simdgroup_load(right, from_b + i * n, n);
    simdgroup_multiply_accumulate(sum, left, right, sum);
  }
  simdgroup_store(sum, c + group.y * 8 * n + group.x * 8, n);
}
