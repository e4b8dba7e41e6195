#include <metal_stdlib>
using namespace metal;

kernel void contrast(device const float *x [[buffer(0)]],
                     device float       *y [[buffer(1)]],
                     uint i [[thread_position_in_grid]],
                     uint t [[thread_position_in_threadgroup]],
                     uint n [[threads_per_grid]]) {
  threadgroup float tile[16][64]; // 4 KB: still only 960 threads
  float low = x[i], high = low;
  for (uint first = 0; first < 32; first += 16) {
    for (uint k = 0; k < 16; k++) tile[k][t] = x[i + (first + k) * n];
    for (uint k = 0; k < 16; k++) {
      low = min(low, tile[k][t]);
      high = max(high, tile[k][t]);
    }
  }
  y[i] = (high - low) / (high + low);
}
