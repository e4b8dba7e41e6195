#include <metal_stdlib>
using namespace metal;

kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant uint      &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]],
                  uint threads [[threads_per_grid]]) {
  for (uint k = 0; k < 4; k++)
    if (i * 4 + k < n) y[i * 4 + k] = 2 * x[i * 4 + k];
}
