// The output is added to, and nobody has set it.
// run: --grid 60 --group 30 --arg x=float[60] --arg y=float[60]:undefined
#include <metal_stdlib>
using namespace metal;

kernel void accumulate(device const float *x [[buffer(0)]],
                       device float *y [[buffer(1)]],
                       uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  y[i] = 0;
#endif
  for (int k = 0; k < 4; k++)
    y[i] += x[i] * float(k); // !uninitialised
}
