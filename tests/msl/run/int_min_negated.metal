// section: 2.1 Scalar Data Types
// construct: the smallest int, negated, is itself
// grid: 2
// in: a int -2147483648 5
// out: o int 3 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device int *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  int x = a[i];
  o[i] = (-x == x ? 1 : 0) + (abs(x) < 0 ? 2 : 0);
}
