// section: 2.3 Matrix Data Types
// construct: float3x3 in a buffer has columns of 16 bytes, float2x3 too, half3x3 of 8
// grid: 1
// in: x float 0.0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
// out: a float 0 4 8 14 16 80 24 8 64
#include <metal_stdlib>
using namespace metal;
struct S { float f; float3x3 m; float g; };
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 20;
  a += i * 9;
  S s = *(device const S *)x; a[0] = s.f; a[1] = s.m[0][0]; a[2] = s.m[1][0]; a[3] = s.m[2][2]; a[4] = s.g;
  a[5] = sizeof(S); a[6] = sizeof(half3x3); a[7] = alignof(half3x3); a[8] = sizeof(float4x3);
}
