// A table of 8 weights, a window of 9.
// run: --grid 50 --group 32 --arg in=float[58] --arg out=float[50]
#include <metal_stdlib>
using namespace metal;

constant float weights[8] = {1, 2, 4, 8, 8, 4, 2, 1};

kernel void smooth(device const float *in [[buffer(0)]],
                   device float *out [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  float sum = 0;
#ifdef FIXED
  const uint window = 8;
#else
  const uint window = 9;
#endif
  for (uint k = 0; k < window; k++)
    sum += weights[k] * in[i + k]; // !out-of-bounds
  out[i] = sum / 30;
}
