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
  float largest = -INFINITY, sum = 0;
  for (uint c = 0; c < classes; c++) {
    float score = b[c];
    for (uint j = 0; j < neurons; j++)
      score += h[n * neurons + j] * w[j * classes + c];
    mine[c] = score;
    largest = max(largest, score);
  }
  for (uint c = 0; c < classes; c++) {
    mine[c] = exp(mine[c] - largest);
    sum += mine[c];
  }
  loss[n] = -log(mine[label[n]]);
}
