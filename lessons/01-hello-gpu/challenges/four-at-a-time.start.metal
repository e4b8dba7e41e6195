#include <metal_stdlib>
using namespace metal;

kernel void twice(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  for (uint k = 4 * i; k < 4 * i + 4; k++) y[k] = 2 * x[k];
}
