#include <metal_stdlib>
using namespace metal;

kernel void rating(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant float4    &w [[buffer(2)]],
                   uint i [[thread_position_in_grid]]) {
  device const float4 *records = (device const float4 *)x;
  float v = dot(w, records[4 * i]); // counted in records, not in floats
  float d = i % 2 == 0 ? 0.1f : 0.2f;
  for (int k = 0; k < 16; k++) v = v - d * v * v;
  y[i] = v;
}
