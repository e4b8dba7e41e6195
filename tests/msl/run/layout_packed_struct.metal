// section: 2.2.3 Packed Vector Types
// construct: sizes and places of packed and plain vectors in a struct
// grid: 1
// out: o uint 12 4 16 16 20 48 28 3 1 6 2
#include <metal_stdlib>
using namespace metal;
struct A { packed_float3 p; float f; };
struct B { packed_float3 p; float2 f; };
struct D { float a; packed_half3 h; };
struct E { float a; float3 b; float c; };
struct F { packed_float3 a; packed_float4 b; };
kernel void k(device uint *o [[buffer(0)]]) {
  o[0] = sizeof(packed_float3);
  o[1] = alignof(packed_float3);
  o[2] = sizeof(A);
  o[3] = __builtin_offsetof(B, f);
  o[4] = sizeof(D) + 8;
  o[5] = sizeof(E);
  o[6] = sizeof(F);
  o[7] = sizeof(packed_uchar3);
  o[8] = alignof(packed_char4);
  o[9] = sizeof(packed_half3);
  o[10] = alignof(packed_short3);
}
