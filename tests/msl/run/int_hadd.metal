// section: 6.3 Integer Functions
// construct: hadd and rhadd round down and up without overflow
// grid: 1
// in: a int 2147483647 -3
// out: o int 2147483647 -2 -1 2147483646 2147483647
// out: p uint 4294967294 255
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device int *o [[buffer(1)]], device uint *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[0] = hadd(a[0], a[0]);
  o[1] = hadd(a[1], 0);
  o[2] = rhadd(a[1], 0);
  o[3] = hadd(a[0], a[0] - 1);
  o[4] = rhadd(a[0], a[0] - 1);
  p[0] = hadd(0xffffffffu, 0xfffffffeu);
  p[1] = rhadd(uchar(254), uchar(255));
}
