#include <metal_stdlib>
using namespace metal;

kernel void variance(device const float *x [[buffer(0)]],
                     device float *out     [[buffer(1)]],
                     constant uint &columns [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  device const float *row = x + i * columns;
  float sum = 0, squares = 0;
  for (uint k = 0; k < columns; k++) sum += row[k];
  float mean = sum / columns;
  for (uint k = 0; k < columns; k++)
    squares += (row[k] - mean) * (row[k] - mean);
  out[i] = squares / (columns - 1); // of a sample; 0 / 0 for one element
}
