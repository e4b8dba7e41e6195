// section: 2.1 Scalar Data Types
// construct: ints to half round to even; halves to int cut off
// grid: 4
// in: a int 2049 2051 65519 -2049
// out: o half 2048 2052 65504 -2048
// out: p int 2048 2052 65504 -2048
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int *a [[buffer(0)]], device half *o [[buffer(1)]], device int *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  half h = half(a[i]);
  o[i] = h;
  p[i] = int(h);
}
