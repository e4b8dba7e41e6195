// section: 2.3 Matrix Data Types
// construct: a column and an element of a matrix are written
// grid: 1
// out: o float 1 9 0 7 7 7 0 0 5
#include <metal_stdlib>
using namespace metal;
kernel void k(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x3 m = float3x3(1.0f);
  m[1] = float3(7);
  m[0][1] = 9;
  m[2].z += 4;
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) o[c * 3 + r] = m[c][r];
}
