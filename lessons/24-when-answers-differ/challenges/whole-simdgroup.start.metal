#include <metal_stdlib>
using namespace metal;

kernel void variance(device const float *x [[buffer(0)]],
                     device float *out     [[buffer(1)]],
                     constant uint &columns [[buffer(2)]],
                     uint row  [[threadgroup_position_in_grid]],
                     uint lane [[thread_index_in_simdgroup]]) {
  device const float *first = x + row * columns;
  float sum = 0, squares = 0;
  if (lane != 0) return;
  for (uint k = 0; k < columns; k++) sum += first[k];
  float mean = sum / columns;
  for (uint k = 0; k < columns; k++) {
    float far = first[k] - mean;
    squares += far * far;
  }
  out[row] = squares / columns;
}
