// section: 2.1 Scalar Data Types
// construct: int beside uint compares as uint, short beside ushort as int
// grid: 1
// in: a int -1
// in: b uint 1
// in: c short -1
// in: d ushort 1
// out: o int 0 1 1 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device const uint *b [[buffer(1)]], device const short *c [[buffer(2)]], device const ushort *d [[buffer(3)]], device int *o [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  o[0] = a[i] < b[i];
  o[1] = c[i] < d[i];
  o[2] = a[i] > b[i];
  o[3] = c[i] > d[i];
}
