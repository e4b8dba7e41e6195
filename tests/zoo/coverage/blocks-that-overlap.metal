// Blocks of 8 at steps of 4: nearly every element is computed twice.
// run: --grid 24 --group 24 --arg x=float[100] --arg y=float[100]
// expect: coverage race
#include <metal_stdlib>
using namespace metal;

kernel void blocks(device const float *x [[buffer(0)]],
                   device float *y [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  uint end = i == 23 ? 8 : 4;
#else
  uint end = 8;
#endif
  for (uint k = 0; k < end; k++) y[4 * i + k] = x[4 * i + k] * 0.5f;
}
