#include <metal_stdlib>
using namespace metal;

// y = relu(x . w + b), one thread for each element of y. Bias and relu are
// missing.
kernel void layer(device const float *x [[buffer(0)]],  // rows of inputs
                  device const float *w [[buffer(1)]],  // inputs of outputs
                  device const float *b [[buffer(2)]],  // outputs
                  device float       *y [[buffer(3)]],  // rows of outputs
                  constant uint &rows    [[buffer(4)]],
                  constant uint &inputs  [[buffer(5)]],
                  constant uint &outputs [[buffer(6)]],
                  uint2 at [[thread_position_in_grid]]) {
  uint row = at.y, column = at.x;
  if (row >= rows || column >= outputs) return;
  float sum = 0;
  for (uint i = 0; i < inputs; i++)
    sum += x[row * inputs + i] * w[i * outputs + column];
  y[row * outputs + column] = sum;
}
