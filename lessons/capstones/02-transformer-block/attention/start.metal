#include <metal_stdlib>
using namespace metal;

kernel void attend(device const float *q  [[buffer(0)]],
                   device const float *k  [[buffer(1)]],
                   device float *share    [[buffer(2)]],
                   constant uint &words   [[buffer(3)]],
                   constant uint &width   [[buffer(4)]],
                   uint i [[thread_position_in_grid]]) {
  device float *mine = share + i * words;
  // how much word i looks at each word j
  for (uint j = 0; j < words; j++) mine[j] = 1.0f / words;
}

kernel void mix_values(device const float *share [[buffer(0)]],
                       device const float *v     [[buffer(1)]],
                       device float *out         [[buffer(2)]],
                       constant uint &words      [[buffer(3)]],
                       uint2 at [[thread_position_in_grid]],
                       uint2 size [[threads_per_grid]]) {
  // at.x is the column, at.y the word
  out[at.y * size.x + at.x] = v[at.y * size.x + at.x];
}
