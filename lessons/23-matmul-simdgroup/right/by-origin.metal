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
  simdgroup_float8x8 sum(0.0f);
  for (uint i = 0; i < k / 8; i++) {
    simdgroup_float8x8 left, right;
    simdgroup_load(left, a, k, ulong2(i * 8, group.y * 8));
    simdgroup_load(right, b, n, ulong2(group.x * 8, i * 8));
    simdgroup_multiply_accumulate(sum, left, right, sum);
  }
  simdgroup_store(sum, c, n, ulong2(group.x * 8, group.y * 8));
}
