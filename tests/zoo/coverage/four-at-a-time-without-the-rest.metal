// n / 4 threads do four each; nobody does the last three.
// run: --grid 50 --group 50 --arg x=float[203] --arg y=float[203] --arg n=203
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void copy4(device const float *x [[buffer(0)]],
                  device float *y [[buffer(1)]],
                  constant uint &n [[buffer(2)]],
                  uint i [[thread_position_in_grid]],
                  uint threads [[threads_per_grid]]) {
  for (uint k = 0; k < 4; k++) y[4 * i + k] = x[4 * i + k];
#ifdef FIXED
  if (i == threads - 1)
    for (uint k = 4 * threads; k < n; k++) y[k] = x[k];
#endif
}
