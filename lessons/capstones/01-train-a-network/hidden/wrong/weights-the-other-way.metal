#include <metal_stdlib>
using namespace metal;

kernel void hidden(device const float *x  [[buffer(0)]],
                   device const float *w  [[buffer(1)]],
                   device const float *b  [[buffer(2)]],
                   device float *h        [[buffer(3)]],
                   constant uint &inputs  [[buffer(4)]],
                   uint2 at [[thread_position_in_grid]],
                   uint2 size [[threads_per_grid]]) {
  float sum = b[at.x];
  for (uint d = 0; d < inputs; d++)
    sum += x[at.y * inputs + d] * w[at.x * inputs + d];
  h[at.y * size.x + at.x] = tanh(sum);
}
