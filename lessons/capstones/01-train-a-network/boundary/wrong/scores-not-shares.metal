#include <metal_stdlib>
using namespace metal;

kernel void boundary(device const float *w1 [[buffer(0)]],
                     device const float *b1 [[buffer(1)]],
                     device const float *w2 [[buffer(2)]],
                     device const float *b2 [[buffer(3)]],
                     device float *picture  [[buffer(4)]],
                     constant uint &neurons [[buffer(5)]],
                     uint2 at [[thread_position_in_grid]],
                     uint2 size [[threads_per_grid]]) {
  float2 x = 2.4f * (float2(at) + 0.5f) / float2(size) - 1.2f;
  float2 score = float2(b2[0], b2[1]);
  for (uint j = 0; j < neurons; j++) {
    float h = tanh(b1[j] + x.x * w1[j] + x.y * w1[neurons + j]);
    score += h * float2(w2[2 * j], w2[2 * j + 1]);
  }
  picture[at.y * size.x + at.x] = score.y;
}
