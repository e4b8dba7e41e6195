// section: 6.5 Math Functions
// construct: ldexp to infinity and down to nothing, ilogb
// grid: 4
// math: safe
// in: a float 1 1.5 1 3
// in: e int 127 1 128 -1
// out: o float 170141183460469231731687303715884105728 3 inf 1.5
// out: p int 0 0 0 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *a [[buffer(0)]], device const int *e [[buffer(1)]], device float *o [[buffer(2)]], device int *p [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  o[i] = ldexp(a[i], e[i]);
  p[i] = ilogb(a[i]);
}
