// section: 6.5 Math Functions
// construct: divide with a whole number, and of a vector by a scalar; fast and precise
// grid: 2
// in: a float3 1 2 4  8 6 2
// in: b float 4 2
// out: o float3 0.25 0.5 1  4 3 1
// out: p float 1 0.125
// out: q float3 0.5 1 2  4 3 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float3 *a [[buffer(0)]], device const float *b [[buffer(1)]], device float3 *o [[buffer(2)]],
              device float *p [[buffer(3)]], device float3 *q [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  o[i] = precise::divide(a[i], b[i]);
  p[i] = divide(1, a[i].x);
  q[i] = fast::divide(a[i], 2);
}
