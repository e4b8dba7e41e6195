// Blocks of 5 at steps of 4: every fifth element is computed twice.
// run: --grid 24 --group 24 --arg x=float[97] --arg y=float[97]
// expect: coverage race
#include <metal_stdlib>
using namespace metal;

kernel void blocks(device const float *x [[buffer(0)]],
                   device float *y [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  uint end = i == 23 ? 5 : 4;
#else
  uint end = 5;
#endif
  for (uint k = 0; k < end; k++) y[4 * i + k] = x[4 * i + k] * 0.5f;
}
