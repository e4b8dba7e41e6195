#include <metal_stdlib>
using namespace metal;

kernel void variance(device const float *x [[buffer(0)]],
                     device float *out     [[buffer(1)]],
                     constant uint &columns [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  device const float *row = x + i * columns;
  half sum = 0; // 65,504 is its end
  for (uint k = 0; k < columns; k++) sum += half(row[k]);
  float mean = float(sum) / columns, squares = 0;
  for (uint k = 0; k < columns; k++)
    squares += (row[k] - mean) * (row[k] - mean);
  out[i] = squares / columns;
}
