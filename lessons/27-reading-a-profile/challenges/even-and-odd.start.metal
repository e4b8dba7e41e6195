#include <metal_stdlib>
using namespace metal;

kernel void waves(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  if (i % 2 == 0)
    y[i] = sin(x[i]);
  else
    y[i] = cos(x[i]);
}
