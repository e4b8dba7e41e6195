#include <metal_stdlib>
using namespace metal;

kernel void layer(device const float *x [[buffer(0)]],
                  device const float *w [[buffer(1)]],
                  device const float *b [[buffer(2)]],
                  device float       *y [[buffer(3)]],
                  constant uint &rows    [[buffer(4)]],
                  constant uint &inputs  [[buffer(5)]],
                  constant uint &outputs [[buffer(6)]],
                  uint2 at [[thread_position_in_grid]]) {
  uint column = at.x;
  if (column >= outputs) return;
  for (uint row = 4 * at.y; row < min(4 * at.y + 4, rows); row++) {
    float sum = 0;
    for (uint i = 0; i < inputs; i++)
      sum += x[row * inputs + i] * w[i * outputs + column];
    y[row * outputs + column] = max(sum + b[column], 0.0f);
  }
}
