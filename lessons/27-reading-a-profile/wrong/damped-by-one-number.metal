#include <metal_stdlib>
using namespace metal;

kernel void rating(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant float4    &w [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  float v = dot(w, ((device const float4 *)x)[i]);
  for (int k = 0; k < 16; k++) v = v - 0.1f * v * v; // odd ones have 0.2
  y[i] = v;
}
