#include <metal_stdlib>
using namespace metal;

kernel void third(device const float *x [[buffer(0)]],
                  device float       *y [[buffer(1)]],
                  uint i [[thread_position_in_grid]],
                  uint n [[threads_per_grid]]) {
  float all[32];
  for (uint k = 0; k < 32; k++) all[k] = x[i + k * n];
  for (uint k = 0; k < 31; k++) // the largest first
    for (uint j = k + 1; j < 32; j++)
      if (all[j] > all[k]) {
        float v = all[k];
        all[k] = all[j];
        all[j] = v;
      }
  y[i] = all[2];
}
