// section: 2.1 Scalar Data Types
// construct: float to half rounds ties to even, and overflows to infinity
// grid: 7
// in: a float 1.00048828125 1.00146484375 65504 65519.99 65520 -65520 2.980232238769531e-08
// out: o half 1 1.001953125 65504 65504 inf -inf 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *a [[buffer(0)]], device half *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  o[i] = half(a[i]);
}
