// section: 2.1 Scalar Data Types
// construct: a negative number shifted right keeps its sign
// grid: 3
// in: a int -1 -8 -2147483648
// out: o int -1 -1 -268435456
// out: p uint 536870911 536870911 268435456
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device int *o [[buffer(1)]], device uint *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[i] = a[i] >> 3;
  p[i] = uint(a[i]) >> 3;
}
