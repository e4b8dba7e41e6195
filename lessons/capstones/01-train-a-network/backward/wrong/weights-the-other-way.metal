#include <metal_stdlib>
using namespace metal;

kernel void blame(device const float *p    [[buffer(0)]],
                  device const uint *label [[buffer(1)]],
                  device float *dz         [[buffer(2)]],
                  uint2 at [[thread_position_in_grid]],
                  uint2 size [[threads_per_grid]]) {
  uint i = at.y * size.x + at.x;
  dz[i] = p[i] - (label[at.y] == at.x ? 1.0f : 0.0f);
}

kernel void backward(device const float *dz   [[buffer(0)]],
                     device const float *w    [[buffer(1)]],
                     device const float *h    [[buffer(2)]],
                     device float *dh         [[buffer(3)]],
                     constant uint &classes   [[buffer(4)]],
                     uint2 at [[thread_position_in_grid]],
                     uint2 size [[threads_per_grid]]) {
  uint i = at.y * size.x + at.x;
  float sum = 0;
  for (uint c = 0; c < classes; c++)
    sum += dz[at.y * classes + c] * w[c * size.x + at.x];
  dh[i] = sum * (1 - h[i] * h[i]);
}
