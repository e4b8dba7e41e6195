// section: 2.3 Matrix Data Types
// construct: float2x3 has 2 columns of 3 rows; products of non-square shapes
// grid: 1
// in: x float 1
// out: a float 9 12 15 19 26 33 29 40 51 22 28 49 64 -3 -3 -3 6 15 32 24
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 20;
  float2x3 m = float2x3(float3(x[0], 2, 3), float3(4, 5, 6));
  float3x2 t = float3x2(float2(1, 2), float2(3, 4), float2(5, 6));
  float3x3 p = m * t; float2x2 q = t * m;
  for (int c = 0; c < 3; c++) for (int r = 0; r < 3; r++) a[c * 3 + r] = p[c][r];
  for (int c = 0; c < 2; c++) for (int r = 0; r < 2; r++) a[9 + c * 2 + r] = q[c][r];
  float3 v = m * float2(1, -1); float2 w = float3(1, 1, 1) * m; for (int k = 0; k < 3; k++) a[13 + k] = v[k];
  a[16] = w.x; a[17] = w.y;
  a[18] = sizeof(float2x3); a[19] = sizeof(float3x2);
}
