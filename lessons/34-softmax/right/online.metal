#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint &columns [[buffer(2)]],
                    uint row  [[threadgroup_position_in_grid]],
                    uint lane [[thread_index_in_simdgroup]]) {
  // largest and sum in one pass: the sum is scaled when the largest grows
  device const float *in = x + row * columns;
  float m = -INFINITY, sum = 0;
  for (uint i = lane; i < columns; i += 32) {
    float larger = max(m, in[i]);
    sum = (m == -INFINITY ? 0.0f : sum * exp(m - larger)) + exp(in[i] - larger);
    m = larger;
  }
  float all = simd_max(m);
  sum = simd_sum(m == -INFINITY ? 0.0f : sum * exp(m - all));
  for (uint i = lane; i < columns; i += 32)
    y[row * columns + i] = exp(in[i] - all) / sum;
}
