#include <metal_stdlib>
using namespace metal;

// The rating of record i: its four floats weighted by w, then damped 16 times.
kernel void rating(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant float4    &w [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  y[i] = 0;
  for (uint k = 0; k < 4; k++) y[i] += w[k] * x[4 * i + k];
  if (i % 2 == 0)
    for (int k = 0; k < 16; k++) y[i] = y[i] - 0.1f * y[i] * y[i];
  else
    for (int k = 0; k < 16; k++) y[i] = y[i] - 0.2f * y[i] * y[i];
}
