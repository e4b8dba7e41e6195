// section: 6.3 Integer Functions
// construct: addsat and subsat at both ends
// grid: 1
// in: a int -2147483648 2147483647
// out: o int 2147483647 -2147483648 2147483647 -2147483648 127 -128
// out: p uint 4294967295 0 255 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device int *o [[buffer(1)]], device uint *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[0] = addsat(a[1], 1);
  o[1] = addsat(a[0], -1);
  o[2] = subsat(a[1], -1);
  o[3] = subsat(a[0], 1);
  o[4] = addsat(char(100), char(100));
  o[5] = subsat(char(-100), char(100));
  p[0] = addsat(0xfffffff0u, 0x20u);
  p[1] = subsat(1u, 2u);
  p[2] = addsat(uchar(200), uchar(200));
  p[3] = subsat(uchar(1), uchar(200));
}
