#include <metal_stdlib>
using namespace metal;

kernel void hidden(device const float *x  [[buffer(0)]],
                   device const float *w  [[buffer(1)]],
                   device const float *b  [[buffer(2)]],
                   device float *h        [[buffer(3)]],
                   constant uint &inputs  [[buffer(4)]],
                   uint2 at [[thread_position_in_grid]],
                   uint2 size [[threads_per_grid]]) {
  // at.x is the neuron, at.y the example
  h[at.y * size.x + at.x] = b[at.x];
}
