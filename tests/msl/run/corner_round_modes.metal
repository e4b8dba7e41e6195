// section: 6.5 Math Functions
// construct: round away from zero at halves, rint to even, trunc, ceil and floor of negatives
// grid: 1
// in: x float 2.5 -2.5 0.5 -0.5 3.7 0.49999997
// out: a float 3 -3 1 -1 4 0 2 -2 0 -0.0 4 0 2 -2 0 -0.0 3 0 3 -2 1 -0.0 4 1 2 -3 0 -1 3 0
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 6;
  a += i * 30;
  for (int k = 0; k < 6; k++) { a[k] = round(x[k]); a[6 + k] = rint(x[k]); a[12 + k] = trunc(x[k]); a[18 + k] = ceil(x[k]); a[24 + k] = floor(x[k]); }
}
