// section: 2.3 Matrix Data Types
// construct: float2x3 and float3x2: columns by rows, and their products
// grid: 1
// out: o float 9 12 15 14 32 22 28 49 64 3 2
#include <metal_stdlib>
using namespace metal;
kernel void k(device float *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2x3 a = float2x3(1, 2, 3, 4, 5, 6);
  float3 c = a * float2(1, 2);
  float2 r = float3(1, 2, 3) * a;
  o[0] = c.x;
  o[1] = c.y;
  o[2] = c.z;
  o[3] = r.x;
  o[4] = r.y;
  float3x2 b = float3x2(1, 2, 3, 4, 5, 6);
  float2x2 p = b * a;
  o[5] = p[0][0];
  o[6] = p[0][1];
  o[7] = p[1][0];
  o[8] = p[1][1];
  float3x2 t = transpose(a);
  o[9] = t[2][0];
  o[10] = t[1][0];
}
