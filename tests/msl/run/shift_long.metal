// section: 2.1 Scalar Data Types
// construct: a long shifts by more than 31
// grid: 2
// in: a ulong 1 3
// out: o ulong 1099511627776 3298534883328
// out: p long -1 -1
#include <metal_stdlib>
using namespace metal;
kernel void k(device const ulong *a [[buffer(0)]], device ulong *o [[buffer(1)]], device long *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[i] = a[i] << 40;
  p[i] = (-long(a[i])) >> 62;
}
