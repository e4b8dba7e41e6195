// section: 2.21 Type Conversions and Reinterpreting Data
// construct: float to half rounds to nearest even, overflows to infinity, keeps denormals
// grid: 1
// in: x float 2049 2051 65520 65519 0.1 6e-08 2e-08 10000000000 -65519
// out: a float 2048 2052 inf 65504 0.0999755859375 5.960464477539063e-08 0.0 inf -65504
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 9;
  a += i * 9;
  for (int k = 0; k < 9; k++) a[k] = float(half(x[k]));
}
