// section: 2.1 Scalar Data Types
// construct: a uchar shifted left keeps its bits in an int
// grid: 2
// in: a uchar 255 128
// out: o int 65280 32768
// out: p uchar 0 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uchar *a [[buffer(0)]], device int *o [[buffer(1)]], device uchar *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[i] = a[i] << 8;
  p[i] = a[i] << 8;
}
