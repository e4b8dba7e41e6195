// section: 6.3 Integer Functions
// construct: mulhi, signed and unsigned, and of short types
// grid: 1
// in: a int -1
// out: o int -1 0 1 -1
// out: p uint 4294967294 254
// out: q long -1
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device int *o [[buffer(1)]], device uint *p [[buffer(2)]], device long *q [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  int x = a[0];
  o[0] = mulhi(x, 1);
  o[1] = mulhi(x, x);
  o[2] = mulhi(x + 65537, 65536 + x + 1);
  o[3] = mulhi(short(x), short(2));
  p[0] = mulhi(uint(x), uint(x));
  p[1] = mulhi(uchar(x), uchar(x));
  q[0] = mulhi(long(x), 5L);
}
