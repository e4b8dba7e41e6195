// section: 2.1 Scalar Data Types
// construct: a literal too large for int: hexadecimal is uint, decimal long
// grid: 1
// out: o int 1 1 4 8 0 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  o[0] = -1 > 0xFFFFFFFE;
  o[1] = -1 < 4294967294;
  o[2] = sizeof(0x80000000);
  o[3] = sizeof(2147483648);
  o[4] = 0x80000000 < 0;
  o[5] = -2147483648 < 0;
}
