#include <metal_stdlib>
using namespace metal;

kernel void project(device const float *x   [[buffer(0)]],
                    device const float *w   [[buffer(1)]],
                    device const float *b   [[buffer(2)]],
                    device float *y         [[buffer(3)]],
                    constant uint &inputs   [[buffer(4)]],
                    constant uint &bend     [[buffer(5)]],
                    uint2 at [[thread_position_in_grid]],
                    uint2 size [[threads_per_grid]]) {
  float sum = b[at.x];
  for (uint i = 0; i < inputs; i++)
    sum += x[at.y * inputs + i] * w[i * size.x + at.x];
  // with bend: GELU of the sum
  y[at.y * size.x + at.x] = sum;
}
