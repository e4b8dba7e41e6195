// A grid-stride loop that steps by twice the grid.
// run: --grid 64 --group 64 --arg x=float[500] --arg y=float[500] --arg n=500
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void offset(device const float *x [[buffer(0)]],
                   device float *y [[buffer(1)]],
                   constant uint &n [[buffer(2)]],
                   uint i [[thread_position_in_grid]],
                   uint threads [[threads_per_grid]]) {
#ifdef FIXED
  uint step = threads;
#else
  uint step = 2 * threads;
#endif
  for (uint k = i; k < n; k += step) y[k] = x[k] + 1;
}
