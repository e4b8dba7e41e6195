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
  bool is_bias = at.y == inputs;
  float sum = 0;
  for (uint n = 0; n < examples; n++)
    sum += (is_bias ? 1.0f : in[n * inputs + at.y]) * d[n * size.x + at.x];
  float step = rate * sum / examples;
  if (is_bias) b[at.x] -= step;
  else w[at.y * size.x + at.x] -= step;
}
