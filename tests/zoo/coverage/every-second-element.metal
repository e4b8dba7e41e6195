// Each thread has two elements and writes one.
// run: --grid 64 --group 32 --arg x=float[128] --arg y=float[128]
// expect: coverage
#include <metal_stdlib>
using namespace metal;

kernel void butterfly(device const float *x [[buffer(0)]],
                      device float *y [[buffer(1)]],
                      uint i [[thread_position_in_grid]]) {
  float a = x[2 * i], b = x[2 * i + 1];
  y[2 * i] = a + b;
#ifdef FIXED
  y[2 * i + 1] = a - b;
#endif
}
