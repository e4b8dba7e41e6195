#include <metal_stdlib>
using namespace metal;

kernel void rating(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant float4    &w [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float v = 0;
  for (uint k = 0; k < 4; k++) v += w[k] * x[4 * i + k]; // four lines each
  float d = i % 2 == 0 ? 0.1f : 0.2f;
  for (int k = 0; k < 16; k++) v = v - d * v * v;
  y[i] = v;
}
