// section: 2.3 Matrix Data Types
// construct: sizes of matrices: columns of three take the room of four
// grid: 1
// out: o uint 48 48 64 32 16 24 32 16
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]]) {
  o[0] = sizeof(float3x3);
  o[1] = sizeof(float3x4);
  o[2] = sizeof(float4x3);
  o[3] = sizeof(float4x2);
  o[4] = sizeof(float2x2);
  o[5] = sizeof(half3x4);
  o[6] = sizeof(half4x4);
  o[7] = alignof(float4x3);
}
