// The guard says <= where it means <.
// run: --groups 4 --group 32 --arg x=float[100] --arg n=100
#include <metal_stdlib>
using namespace metal;

kernel void halve(device float *x [[buffer(0)]],
                  constant uint &n [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  if (i < n)
#else
  if (i <= n)
#endif
    x[i] *= 0.5f; // !out-of-bounds
}
