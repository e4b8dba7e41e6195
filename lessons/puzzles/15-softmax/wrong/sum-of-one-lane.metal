#include <metal_stdlib>
using namespace metal;

kernel void softmax(device const float *x [[buffer(0)]],
                    device float       *y [[buffer(1)]],
                    constant uint      &columns [[buffer(2)]],
                    uint lane [[thread_index_in_simdgroup]],
                    uint row  [[threadgroup_position_in_grid]]) {
  float mine[8], most = -INFINITY, sum = 0;
  for (uint k = 0; k < 8; k++) {
    uint c = lane + 32 * k;
    mine[k] = c < columns ? x[row * columns + c] : -INFINITY;
    most = max(most, mine[k]);
  }
  most = simd_max(most);
  for (uint k = 0; k < 8; k++) {
    mine[k] = exp(mine[k] - most);
    sum += mine[k];
  }
  for (uint k = 0; k < 8; k++)
    if (lane + 32 * k < columns)
      y[row * columns + lane + 32 * k] = mine[k] / sum;
}
