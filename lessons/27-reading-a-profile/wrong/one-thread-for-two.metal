#include <metal_stdlib>
using namespace metal;

kernel void rating(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant float4    &w [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  if (i % 2 != 0) return; // no branch splits a loop, and half of the lanes idle
  for (uint r = i; r < i + 2; r++) {
    float v = dot(w, ((device const float4 *)x)[r]);
    float d = r % 2 == 0 ? 0.1f : 0.2f;
    for (int k = 0; k < 16; k++) v = v - d * v * v;
    y[r] = v;
  }
}
