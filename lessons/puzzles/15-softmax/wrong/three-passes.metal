#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint      &columns [[buffer(2)]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint row  [[threadgroup_position_in_grid]]) {
  float most = -INFINITY, sum = 0;
  for (uint c = lane; c < columns; c += 32)
    most = max(most, x[row * columns + c]);
  most = simd_max(most);
  for (uint c = lane; c < columns; c += 32)
    sum += exp(x[row * columns + c] - most);
  sum = simd_sum(sum);
  for (uint c = lane; c < columns; c += 32)
    y[row * columns + c] = exp(x[row * columns + c] - most) / sum;
}
