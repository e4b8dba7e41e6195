#include <metal_stdlib>
using namespace metal;

// y = x / x.sum(axis=1, keepdims=True). A threadgroup of 32 threads has one
// row. Right for 32 columns; make it right for any number.
kernel void shares(device const float *x  [[buffer(0)]],
                   device float *y        [[buffer(1)]],
                   constant uint &columns [[buffer(2)]],
                   uint row  [[threadgroup_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]]) {
  float v = x[row * columns + lane];
  float sum = simd_sum(v);
  y[row * columns + lane] = v / sum;
}
