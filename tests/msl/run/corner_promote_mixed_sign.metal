// section: 3.1 Scalar and Vector Operators
// construct: int with uint is uint, long with uint is long, short with ushort is int
// grid: 1
// in: x int -10
// out: a long 1 1431655762 -3 1 0 -5 2147483643 -1 -42949672950
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 9;
  int m = x[0];
  uint u = 3;
  a[0] = (m + u) > 0 ? 1 : 0;
  a[1] = m / u;
  a[2] = (long)m / u;
  a[3] = (short)m < (ushort)1 ? 1 : 0;
  a[4] = m < u ? 1 : 0;
  a[5] = (m >> 1);
  a[6] = (uint)m >> 1;
  a[7] = m % 3;
  a[8] = (long)m * (uint)4294967295u;
}
