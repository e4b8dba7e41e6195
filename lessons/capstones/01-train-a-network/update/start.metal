#include <metal_stdlib>
using namespace metal;

kernel void update(device const float *in  [[buffer(0)]],
                   device const float *d   [[buffer(1)]],
                   device float *w         [[buffer(2)]],
                   device float *b         [[buffer(3)]],
                   constant uint &examples [[buffer(4)]],
                   constant uint &inputs   [[buffer(5)]],
                   constant float &rate    [[buffer(6)]],
                   uint2 at [[thread_position_in_grid]],
                   uint2 size [[threads_per_grid]]) {
  // at.x is the neuron; at.y the input, or the bias in the last row
  if (at.y < inputs) w[at.y * size.x + at.x] -= rate;
}
