// section: 2.1 Scalar Data Types
// construct: chars become ints in arithmetic
// grid: 2
// in: a char 127 -128
// out: o int 254 -256
// out: p char -2 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const char *a [[buffer(0)]], device int *o [[buffer(1)]], device char *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[i] = a[i] + a[i];
  p[i] = a[i] + a[i];
}
