#include <metal_stdlib>
#include <metal_simdgroup_matrix>
using namespace metal;

// c = a . b: one SIMD-group makes the piece of 8 x 8 of c at (row, column).
kernel void matmul(device const float *a [[buffer(0)]],  // m rows of k
                   device const float *b [[buffer(1)]],  // k rows of n
                   device float       *c [[buffer(2)]],  // m rows of n
                   constant uint &m [[buffer(3)]],       // all multiples of 8
                   constant uint &n [[buffer(4)]],
                   constant uint &k [[buffer(5)]],
                   uint2 group [[threadgroup_position_in_grid]]) {
  uint row = group.y * 8, column = group.x * 8;
  simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(0.0f);
  // along k, in steps of 8: load a piece of a and one of b, multiply
  simdgroup_store(sum, c + row * n + column, n);
}
