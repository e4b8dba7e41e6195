// A grid-stride loop whose bound forgets that two elements are read.
// run: --grid 64 --group 32 --arg x=float[501] --arg y=float[251] --arg n=501
#include <metal_stdlib>
using namespace metal;

kernel void pair_sums(device const float *x [[buffer(0)]],
                      device float *y [[buffer(1)]],
                      constant uint &n [[buffer(2)]],
                      uint i [[thread_position_in_grid]],
                      uint threads [[threads_per_grid]]) {
  for (uint k = i; 2 * k < n; k += threads) {
    float second = 0;
#ifdef FIXED
    if (2 * k + 1 < n)
#endif
      second = x[2 * k + 1]; // !out-of-bounds
    y[k] = x[2 * k] + second;
  }
}
