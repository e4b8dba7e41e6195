// wrong: one too far
#include <metal_stdlib>
using namespace metal;

kernel void scale(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  constant uint      &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]],
                  uint threads [[threads_per_grid]]) {
  for (uint j = i; j <= n; j += threads) y[j] = 2 * x[j];
}
