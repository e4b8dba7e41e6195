// A value for those above the threshold, none for the others.
// run: --grid 50 --group 25 --arg x=float[50] --arg y=float[50]
#include <metal_stdlib>
using namespace metal;

kernel void threshold(device const float *x [[buffer(0)]],
                      device float *y [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  float v;
  if (x[i] > 0.5f) v = x[i];
#ifdef FIXED
  else v = 0;
#endif
  y[i] = v; // !uninitialised
}
