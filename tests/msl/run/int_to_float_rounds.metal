// section: 2.1 Scalar Data Types
// construct: a large int rounds to the nearest float, ties to even
// grid: 5
// in: a int 16777217 16777219 2147483647 -16777217 -16777219
// out: o float 16777216 16777220 2147483648 -16777216 -16777220
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device float *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  o[i] = float(a[i]);
}
