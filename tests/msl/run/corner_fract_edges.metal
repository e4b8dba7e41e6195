// section: 6.5 Math Functions
// construct: fract of negative, tiny negative (stays below 1), integers
// grid: 1
// in: x float -0.25 3 -1e-10 2.5 -2
// out: a float 0.75 0.0 0.9999999403953552 0.5 0.0
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 5;
  a += i * 5;
  for (int k = 0; k < 5; k++) a[k] = fract(x[k]);
}
