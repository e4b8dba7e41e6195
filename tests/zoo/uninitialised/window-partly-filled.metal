// A private window of 4, of which 3 are filled at the right edge.
// run: --grid 33 --group 33 --arg x=float[33] --arg y=float[33] --arg n=33
#include <metal_stdlib>
using namespace metal;

kernel void mean4(device const float *x [[buffer(0)]],
                  device float *y [[buffer(1)]],
                  constant uint &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  float w[4];
  for (uint k = 0; k < 4; k++) {
    if (i + k < n) w[k] = x[i + k];
#ifdef FIXED
    else w[k] = 0;
#endif
  }
  float sum = 0;
  for (uint k = 0; k < 4; k++) sum += w[k]; // !uninitialised
  y[i] = sum * 0.25f; // !uninitialised
}
