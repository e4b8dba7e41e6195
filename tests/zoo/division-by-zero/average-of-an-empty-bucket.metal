// The average of a bucket with nothing in it.
// run: --grid 16 --group 16 --arg sums=int[16] --arg counts=int[16]:0..2 --arg mean=int[16]
#include <metal_stdlib>
using namespace metal;

kernel void means(device const int *sums [[buffer(0)]],
                  device const int *counts [[buffer(1)]],
                  device int *mean [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  mean[i] = counts[i] ? sums[i] / counts[i] : 0;
#else
  mean[i] = sums[i] / counts[i]; // !division-by-zero
#endif
}
