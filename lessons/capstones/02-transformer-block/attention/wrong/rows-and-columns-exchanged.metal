#include <metal_stdlib>
using namespace metal;

kernel void attend(device const float *q  [[buffer(0)]],
                   device const float *k  [[buffer(1)]],
                   device float *share    [[buffer(2)]],
                   constant uint &words   [[buffer(3)]],
                   constant uint &width   [[buffer(4)]],
                   uint i [[thread_position_in_grid]]) {
  device float *mine = share + i * words;
  float scale = rsqrt(float(width)), largest = -INFINITY, sum = 0;
  for (uint j = 0; j < words; j++) {
    float dot = 0;
    for (uint c = 0; c < width; c++) dot += q[i * width + c] * k[j * width + c];
    mine[j] = dot * scale;
    largest = max(largest, mine[j]);
  }
  for (uint j = 0; j < words; j++) {
    mine[j] = exp(mine[j] - largest);
    sum += mine[j];
  }
  for (uint j = 0; j < words; j++) mine[j] /= sum;
}

kernel void mix_values(device const float *share [[buffer(0)]],
                       device const float *v     [[buffer(1)]],
                       device float *out         [[buffer(2)]],
                       constant uint &words      [[buffer(3)]],
                       uint2 at [[thread_position_in_grid]],
                       uint2 size [[threads_per_grid]]) {
  float sum = 0;
  for (uint j = 0; j < words; j++)
    sum += share[j * words + at.y] * v[j * size.x + at.x];
  out[at.y * size.x + at.x] = sum;
}
