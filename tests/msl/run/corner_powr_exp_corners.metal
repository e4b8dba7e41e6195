// section: 6.5 Math Functions
// construct: pow(0,0), pow of negative base with integer exponent, exp2 of integers, log2 of powers, exp10, rsqrt, cbrt-like
// grid: 1
// math: safe
// in: x float 0.0 10
// out: a float within 4e-06: 1 -8 4 1024 10 1000 0.25 3 0.0009765625 10 -2.356194490192345 1
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 12;
  a[0] = pow(x[0], 0.0f); a[1] = pow(-2.0f, 3.0f); a[2] = pow(-2.0f, 2.0f); a[3] = exp2(x[1]);
  a[4] = log2(1024.0f); a[5] = exp10(3.0f); a[6] = rsqrt(16.0f); a[7] = log10(1000.0f);
  a[8] = pow(2.0f, -x[1]); a[9] = sqrt(x[1] * x[1]); a[10] = atan2(-1.0f, -1.0f); a[11] = tanh(50.0f);
}
