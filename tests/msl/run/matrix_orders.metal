// section: 2.3 Matrix Data Types
// construct: matrix times vector, vector times matrix, columns and rows
// grid: 1
// out: o float 17 39 23 34 3 2 19 43
#include <metal_stdlib>
using namespace metal;
kernel void k(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x2 m = float2x2(float2(1, 3), float2(2, 4));
  float2 v = float2(5, 6) + float(i);
  float2 a = m * v, b = v * m;
  o[0] = a.x;
  o[1] = a.y;
  o[2] = b.x;
  o[3] = b.y;
  o[4] = m[0][1];
  o[5] = m[1].x;
  float2x2 p = m * float2x2(float2(5, 7), float2(6, 8));
  o[6] = p[0][0];
  o[7] = p[0][1];
}
