#include <metal_stdlib>
using namespace metal;

kernel void total(device const float *x [[buffer(0)]],
                  device float *out     [[buffer(1)]],
                  constant uint &columns [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  device const float *row = x + i * columns;
  float sum = 0; // from the other end: better, and not exact
  for (uint k = columns; k > 0; k--) sum += row[k - 1] - 0.001f;
  out[i] = sum;
}
