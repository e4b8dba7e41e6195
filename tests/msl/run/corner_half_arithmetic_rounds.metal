// section: 3.1 Scalar and Vector Operators
// construct: half operations round to half each time
// grid: 1
// in: x half 0.0999755859375 3
// out: a float 3.099609375 0.2998046875 30 2048
#include <metal_stdlib>
using namespace metal;
kernel void test(device const half *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 4;
  half p = x[0], q = x[1];
  half s = p + q;
  half m = p * q;
  half d = q / p;
  a[0] = s; a[1] = m; a[2] = d; a[3] = (half)2048 + (half)1;
}
