// section: 3.1 Scalar and Vector Operators
// construct: integer vectors divide and take remainders toward zero, component by component
// grid: 1
// in: x int4 -7 -7 7 7 2 -2 -2 2
// out: a long -3 3 -3 3 -1 -1 1 1 3 2147483647 -3 -3 -42 14
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int4 *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 8;
  a += i * 14;
  int4 q = x[0] / x[1], r = x[0] % x[1]; uint2 u = uint2(7, 4294967295) / 2;
  char4 c = char4(-7, 7, -128, 100) / char4(2, -2, 3, 7);
  for (int k = 0; k < 4; k++) { a[k] = q[k]; a[4 + k] = r[k]; a[10 + k] = c[k]; } a[8] = u.x; a[9] = u.y;
}
