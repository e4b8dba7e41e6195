// section: 6.5 Math Functions
// construct: copysign and fabs of half, of both zeros
// grid: 3
// in: a half 2 -2 0
// in: b half -1 1 -0.0
// out: o half -2 2 0
// out: p half 2 2 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const half *a [[buffer(0)]], device const half *b [[buffer(1)]], device half *o [[buffer(2)]], device half *p [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  o[i] = copysign(a[i], b[i]);
  p[i] = fabs(a[i]);
}
