#include <metal_stdlib>
using namespace metal;

kernel void variance(device const float *x [[buffer(0)]],
                     device float *out     [[buffer(1)]],
                     constant uint &columns [[buffer(2)]],
                     uint row  [[threadgroup_position_in_grid]],
                     uint lane [[thread_index_in_simdgroup]]) {
  device const float *first = x + row * columns;
  float sum = 0, squares = 0;
  for (uint k = lane; k < columns; k += 32) sum += first[k];
  float mean = 32 * sum / columns;
  for (uint k = lane; k < columns; k += 32) {
    float far = first[k] - mean;
    squares += far * far;
  }
  squares = simd_sum(squares);
  if (lane == 0) out[row] = squares / columns;
}
