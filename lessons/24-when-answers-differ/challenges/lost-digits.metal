#include <metal_stdlib>
using namespace metal;

kernel void total(device const float *x [[buffer(0)]],
                  device float *out     [[buffer(1)]],
                  constant uint &columns [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  device const float *row = x + i * columns;
  float sum = 0, lost = 0;
  for (uint k = 0; k < columns; k++) {
    float y = row[k] - lost;
    float t = sum + y;
    lost = (t - sum) - y;
    sum = t;
  }
  out[i] = sum;
}
