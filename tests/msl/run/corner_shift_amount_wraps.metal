// section: 3.1 Scalar and Vector Operators
// construct: shifts by amounts within the width, of long too
// grid: 1
// in: x int 40 -5
// out: a long 1099511627776 16777215 -1 -1 1
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 5;
  a[0] = 1L << x[0];
  a[1] = ulong(-1) >> x[0];
  a[2] = x[1] >> 31;
  a[3] = (long)x[1] >> 40;
  a[4] = (uint)x[1] >> 31;
}
