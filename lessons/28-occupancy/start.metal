#include <metal_stdlib>
using namespace metal;

// (high - low) / (high + low) of 32 elements; 64 threads in a group.
kernel void contrast(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     uint i [[thread_position_in_grid]],
                     uint t [[thread_position_in_threadgroup]],
                     uint n [[threads_per_grid]]) {
  threadgroup float tile[32][64];
  for (uint k = 0; k < 32; k++) tile[k][t] = x[i + k * n];
  float low = tile[0][t], high = tile[0][t];
  for (uint k = 1; k < 32; k++) low = min(low, tile[k][t]);
  for (uint k = 1; k < 32; k++) high = max(high, tile[k][t]);
  y[i] = (high - low) / (high + low);
}
