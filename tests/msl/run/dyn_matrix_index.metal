// section: 2.3 Matrix Data Types
// construct: a column and an element chosen at run time
// grid: 3
// repeats: no
// out: o float 2 5 8
// out: p float 1 50 9
#include <metal_stdlib>
using namespace metal;
kernel void k(device float *o [[buffer(0)]], device float *p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float3x3 m = float3x3(1, 2, 3, 4, 5, 6, 7, 8, 9);
  o[i] = m[i][1];
  m[1][i] *= 10;
  p[i] = m[i][i];
}
