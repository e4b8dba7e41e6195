// section: 2.3 Matrix Data Types
// construct: matrix from one scalar (diagonal), from components in column order, from another matrix; transpose
// grid: 1
// in: x float 2
// out: a float 2 0 2 2 3 4 3 4 8 8 7 -7 -2 1 18 18
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 16;
  float3x3 d = float3x3(x[0]); float2x2 s = float2x2(1, 2, 3, 4);
  float3x2 t = transpose(float2x3(float3(1, 2, 3), float3(4, 5, 6)));
  a[0] = d[0][0]; a[1] = d[0][1]; a[2] = d[2][2]; a[3] = s[0][1]; a[4] = s[1][0]; a[5] = t[0][1];
  a[6] = t[2][0]; half2x2 hm = half2x2(s); a[7] = hm[1][1];
  float2x2 z = s + s * 2.0f - s; a[8] = z[1][1]; s[1] = float2(9, 8); a[9] = s[1].y; s[0][1] = 7;
  a[10] = s[0].y; float2x2 n = -s; a[11] = n[0][1];
  a[12] = determinant(float2x2(1, 2, 3, 4)); float2x2 e(1.0f); a[13] = e[1][1] + e[0][1]; s *= 2.0f;
  a[14] = s[1][0]; s *= e; a[15] = s[1][0];
}
