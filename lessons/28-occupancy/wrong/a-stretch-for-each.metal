#include <metal_stdlib>
using namespace metal;

kernel void contrast(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     uint i [[thread_position_in_grid]],
                     uint t [[thread_position_in_threadgroup]],
                     uint n [[threads_per_grid]]) {
  float low = x[32 * i], high = low;
  for (uint k = 1; k < 32; k++) {
    float v = x[32 * i + k]; // other elements
    low = min(low, v);
    high = max(high, v);
  }
  y[i] = (high - low) / (high + low);
}
