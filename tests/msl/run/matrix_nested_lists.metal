// section: 2.3 Matrix Data Types
// construct: matrices from lists of columns, some of them lists
// grid: 1
// out: a float 1 2 3 4 5 6 7 8 9 10 11 12 0 0
#include <metal_stdlib>
using namespace metal;
constant float2x3 m = {{+1.0f, 2, 3}, {4, 5, 6}};
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float3x2 n = {float2(7, 8), {9, 10}, {11, 12}};
  for (int c = 0; c < 2; c++)
    for (int r = 0; r < 3; r++) a[i * 14 + c * 3 + r] = m[c][r];
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 2; r++) a[i * 14 + 6 + c * 2 + r] = n[c][r];
  float2 none = metal::float2 {};
  a[i * 14 + 12] = none.x;
  a[i * 14 + 13] = none.y;
}
