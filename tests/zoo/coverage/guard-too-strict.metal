// "i < n - 1" leaves out the last one.
// run: --grid 256 --group 64 --arg x=float[200] --arg y=float[200] --arg n=200
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void cube(device const float *x [[buffer(0)]],
                 device float *y [[buffer(1)]],
                 constant uint &n [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
#ifdef FIXED
  if (i < n)
#else
  if (i < n - 1)
#endif
    y[i] = x[i] * x[i] * x[i];
}
