// section: 6.5 Math Functions
// construct: fma rounds once
// grid: 1
// in: x float 1.000244140625 -1.00048828125
// out: a float 5.960464477539063e-08
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 1;
  a[0] = fma(x[0], x[0], x[1]);
}
