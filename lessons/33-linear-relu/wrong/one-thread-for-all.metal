#include <metal_stdlib>
using namespace metal;

kernel void layer(device const float *x [[buffer(0)]],  // rows of inputs
                  device const float *w [[buffer(1)]],  // inputs of outputs
                  device const float *b [[buffer(2)]],  // outputs
                  device float       *y [[buffer(3)]],  // rows of outputs
                  constant uint &rows    [[buffer(4)]],
                  constant uint &inputs  [[buffer(5)]],
                  constant uint &outputs [[buffer(6)]],
                  uint2 at [[thread_position_in_grid]]) {
  if (at.x > 0 || at.y > 0) return;
  for (uint row = 0; row < rows; row++)
    for (uint column = 0; column < outputs; column++) {
      float sum = b[column];
      for (uint i = 0; i < inputs; i++)
        sum += x[row * inputs + i] * w[i * outputs + column];
      y[row * outputs + column] = max(sum, 0.0f);
    }
}
