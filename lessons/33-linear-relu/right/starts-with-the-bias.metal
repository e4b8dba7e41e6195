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
  if (at.x >= outputs || at.y >= rows) return;
  float v = b[at.x];
  for (uint i = 0; i < inputs; i++)
    v = fma(x[at.y * inputs + i], w[i * outputs + at.x], v);
  y[at.y * outputs + at.x] = v > 0 ? v : 0;
}
