// section: 6.3 Integer Functions
// construct: rotate by more than the width, and by negative counts
// grid: 1
// in: n int 33
// out: o uint 2 1 2147483648 5
// out: p uchar 3 192 24
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *n [[buffer(0)]], device uint *o [[buffer(1)]], device uchar *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  uint k = n[0];
  o[0] = rotate(1u, k);
  o[1] = rotate(1u, k - 33u);
  o[2] = rotate(1u, uint(-1));
  o[3] = rotate(0x50000000u, k - 29u);
  p[0] = rotate(uchar(0x81), uchar(1));
  p[1] = rotate(uchar(0x81), uchar(7));
  p[2] = rotate(uchar(0x81), uchar(4));
}
