// section: 1.6 Compiler and Preprocessor
// construct: #pragma METAL fp contract(off): a product is rounded before it is added to
// grid: 1
// in: x float 1.000244140625
// in: y float -1.00048828125
// out: a float 0 0
#include <metal_stdlib>
using namespace metal;
#pragma METAL fp contract(off)
// x * x is 1 + 2^-11 + 2^-24, which a float rounds to 1 + 2^-11.
kernel void test(device const float *x [[buffer(0)]], device const float *y [[buffer(1)]], device float *a [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  a[i * 2] = x[i] * x[i] + y[i];
  float p = x[i] * x[i];
  a[i * 2 + 1] = p + y[i];
}
