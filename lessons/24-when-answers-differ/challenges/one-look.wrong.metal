// wrong: not relative to the first
#include <metal_stdlib>
using namespace metal;

kernel void variance(device const float *x [[buffer(0)]],
                     device float *out     [[buffer(1)]],
                     constant uint &columns [[buffer(2)]],
                     uint i [[thread_position_in_grid]]) {
  device const float *row = x + i * columns;
  float first = 0, sum = row[0], squares = row[0] * row[0];
  for (uint k = 1; k < columns; k++) {
    float v = row[k] - first;
    sum += v;
    squares += v * v;
  }
  out[i] = squares / columns - sum / columns * (sum / columns);
}
