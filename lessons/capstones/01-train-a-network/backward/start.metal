#include <metal_stdlib>
using namespace metal;

kernel void blame(device const float *p    [[buffer(0)]],
                  device const uint *label [[buffer(1)]],
                  device float *dz         [[buffer(2)]],
                  uint2 at [[thread_position_in_grid]],
                  uint2 size [[threads_per_grid]]) {
  // at.x is the class, at.y the example
  dz[at.y * size.x + at.x] = p[at.y * size.x + at.x];
}

kernel void backward(device const float *dz   [[buffer(0)]],
                     device const float *w    [[buffer(1)]],
                     device const float *h    [[buffer(2)]],
                     device float *dh         [[buffer(3)]],
                     constant uint &classes   [[buffer(4)]],
                     uint2 at [[thread_position_in_grid]],
                     uint2 size [[threads_per_grid]]) {
  // at.x is the neuron, at.y the example
  dh[at.y * size.x + at.x] = 0;
}
