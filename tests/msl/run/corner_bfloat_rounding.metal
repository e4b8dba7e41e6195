// section: 2.21 Type Conversions and Reinterpreting Data
// construct: float to bfloat rounds to nearest even
// grid: 1
// in: x float 1.00390625 1.01171875 3.14159274 -257 1e+38 0.1
// out: a float 1 1.015625 3.140625 -256 9.969209968386869e+37 0.10009765625
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 6;
  a += i * 6;
  for (int k = 0; k < 6; k++) a[k] = float(bfloat(x[k]));
}
