#include <metal_stdlib>
using namespace metal;

kernel void shares(device const float *x  [[buffer(0)]],
                   device float *y        [[buffer(1)]],
                   constant uint &columns [[buffer(2)]],
                   uint row  [[threadgroup_position_in_grid]],
                   uint lane [[thread_index_in_simdgroup]]) {
  // all lanes run every round; those past the end add nothing
  float sum = 0;
  for (uint first = 0; first < columns; first += 32) {
    uint c = first + lane;
    sum += simd_sum(c < columns ? x[row * columns + c] : 0.0f);
  }
  float factor = 1 / sum;
  for (uint first = 0; first < columns; first += 32)
    if (first + lane < columns)
      y[row * columns + first + lane] =
          x[row * columns + first + lane] * factor;
}
