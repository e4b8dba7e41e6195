#include <metal_stdlib>
using namespace metal;

kernel void variance(device const float *x [[buffer(0)]],
                     device float *out     [[buffer(1)]],
                     constant uint &columns [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  device const float *row = x + i * columns;
  float squares = 0;
  for (uint k = 0; k < columns; k++) {
    float sum = 0;
    for (uint j = 0; j < columns; j++) sum += row[(j + k) % columns];
    float far = row[k] - sum / columns;
    squares += far * far;
  }
  out[i] = squares / columns;
}
