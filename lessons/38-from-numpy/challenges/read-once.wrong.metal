// wrong: each lane divides by its own sum
#include <metal_stdlib>
using namespace metal;

kernel void shares(device const float *x  [[buffer(0)]],
                   device float *y        [[buffer(1)]],
                   constant uint &columns [[buffer(2)]],
                   uint row  [[threadgroup_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]]) {
  float v[8], sum = 0;
  for (uint k = 0; k < 8; k++) {
    v[k] = lane + 32 * k < columns ? x[row * columns + lane + 32 * k] : 0;
    sum += v[k];
  }
  for (uint k = 0; k < 8; k++)
    if (lane + 32 * k < columns) y[row * columns + lane + 32 * k] = v[k] / sum;
}
