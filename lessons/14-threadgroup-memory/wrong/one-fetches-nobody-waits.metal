#include <metal_stdlib>
using namespace metal;

kernel void centre(device const float *x [[buffer(0)]],
                   device float       *y [[buffer(1)]],
                   constant uint      &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint t [[thread_position_in_threadgroup]],
                   uint g [[threadgroup_position_in_grid]]) {
  uint count = min(64u, n - g * 64);  // elements of this team
  threadgroup float table[64];
  if (t == 0)
    for (uint k = 0; k < count; k++) table[k] = x[g * 64 + k];

  if (i >= n) return;
  float sum = 0;
  for (uint k = 0; k < count; k++) sum += table[k];
  y[i] = table[t] - sum / count;
}
