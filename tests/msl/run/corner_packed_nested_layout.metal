// section: 2.5 Alignment of Data Types
// construct: nested structs with packed vectors: offsets, sizes and arrays
// grid: 1
// in: x float 0.0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// out: a float 0 2 7 9 12 12 64 4 6 8 4 16
#include <metal_stdlib>
using namespace metal;
struct Inner { packed_float2 q; float h; };
struct Outer { float a; packed_float3 p; Inner in[2]; float pad[2]; float3 v; };
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 16;
  a += i * 12;
  device const Outer *o = (device const Outer *)x; a[0] = o->a; a[1] = o->p.y; a[2] = o->in[1].q.x;
  a[3] = o->in[1].h; a[4] = o->v.x; a[5] = sizeof(Inner); a[6] = sizeof(Outer); a[7] = alignof(Inner);
  a[8] = sizeof(packed_half3); a[9] = sizeof(packed_float2); a[10] = alignof(packed_float4);
  a[11] = alignof(float3);
}
