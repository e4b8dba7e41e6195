// section: 6.3 Integer Functions
// construct: abs of each signed type
// grid: 1
// in: a int -7
// out: o int 7 7 7 -2147483648
// out: p long 7
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device int *o [[buffer(1)]], device long *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[0] = abs(a[0]);
  o[1] = abs(char(a[0]));
  o[2] = abs(short(a[0]));
  o[3] = abs(a[0] + 7 + int(0x80000000u));
  p[0] = abs(long(a[0]));
}
