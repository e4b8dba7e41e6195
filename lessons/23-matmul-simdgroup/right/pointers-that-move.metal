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
  simdgroup_matrix<float, 8, 8> left, right;
  simdgroup_matrix<float, 8, 8> sum =
      make_filled_simdgroup_matrix<float, 8, 8>(0);
  device const float *p = a + group.y * 8 * k, *end = p + k;
  device const float *q = b + group.x * 8;
  for (; p < end; p += 8, q += 8 * n) {
    simdgroup_load(left, p, k);
    simdgroup_load(right, q, n);
    simdgroup_multiply_accumulate(sum, left, right, sum);
  }
  simdgroup_store(sum, c + (group.y * n + group.x) * 8, n);
}
