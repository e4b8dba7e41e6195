// float sum; without = 0.
// run: --grid 20 --group 20 --arg m=float[200] --arg out=float[20] --arg columns=10
#include <metal_stdlib>
using namespace metal;

kernel void row_sum(device const float *m [[buffer(0)]],
                    device float *out [[buffer(1)]],
                    constant uint &columns [[buffer(2)]],
                    uint row [[thread_position_in_grid]]) {
#ifdef FIXED
  float sum = 0;
#else
  float sum;
#endif
  for (uint k = 0; k < columns; k++)
    sum += m[row * columns + k]; // !uninitialised
  out[row] = sum; // !uninitialised
}
