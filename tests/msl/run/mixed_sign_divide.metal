// section: 2.1 Scalar Data Types
// construct: int / uint divides unsigned
// grid: 1
// in: a int -6
// in: b uint 2
// out: o uint 2147483645 4294967293
// out: p long -3
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device const uint *b [[buffer(1)]], device uint *o [[buffer(2)]], device long *p [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  o[0] = a[i] / b[i];
  o[1] = a[i] / int(b[i]);
  p[0] = long(a[i]) / b[i];
}
