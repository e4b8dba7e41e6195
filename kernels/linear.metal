#include <metal_stdlib>
using namespace metal;

// A layer of a neural network: y = relu(x · w + b). Product, bias and relu in
// one kernel: y is written once, instead of written, read and written again
// (that is what "fusion" means).
kernel void linear(device const float *x [[buffer(0)]],  // rows × inputs
                   device const float *w [[buffer(1)]],  // inputs × outputs
                   device const float *b [[buffer(2)]],
                   device float       *y [[buffer(3)]],  // rows × outputs
                   constant uint &rows    [[buffer(4)]],
                   constant uint &inputs  [[buffer(5)]],
                   constant uint &outputs [[buffer(6)]],
                   uint2 at [[thread_position_in_grid]]) {
  if (at.x >= outputs || at.y >= rows) return;
  float sum = b[at.x];
  for (uint i = 0; i < inputs; i++)
    sum += x[at.y * inputs + i] * w[i * outputs + at.x];
  y[at.y * outputs + at.x] = max(sum, 0.0f);
}
