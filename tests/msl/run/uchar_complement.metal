// section: 2.1 Scalar Data Types
// construct: ~ of a uchar is a negative int
// grid: 2
// in: a uchar 0 255
// out: o int -1 -256
// out: p uchar 255 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uchar *a [[buffer(0)]], device int *o [[buffer(1)]], device uchar *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[i] = ~a[i];
  p[i] = ~a[i];
}
