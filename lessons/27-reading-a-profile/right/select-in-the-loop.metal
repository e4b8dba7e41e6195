#include <metal_stdlib>
using namespace metal;

kernel void rating(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant float4    &w [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float v = dot(((device const float4 *)x)[i], w);
  for (int k = 16; k > 0; k--) v -= select(0.2f, 0.1f, i % 2 == 0) * v * v;
  y[i] = v;
}
