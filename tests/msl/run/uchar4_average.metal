// section: 2.2 Vector Data Types
// construct: the sum of two uchar4 wraps at 256 before it is halved
// grid: 1
// in: a uchar4 200 100 255 0
// in: b uchar4 100 100 255 1
// out: o uchar4 22 100 127 0
// out: p uchar4 150 100 255 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uchar4 *a [[buffer(0)]], device const uchar4 *b [[buffer(1)]], device uchar4 *o [[buffer(2)]], device uchar4 *p [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  o[i] = (a[i] + b[i]) / uchar(2);
  p[i] = uchar4((ushort4(a[i]) + ushort4(b[i])) / ushort(2));
}
