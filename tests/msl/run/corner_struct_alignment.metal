// section: 2.13 Argument Buffers
// construct: alignment of char, half, long, float2, bool in a struct; arrays of structs with tail padding; alignas
// grid: 1
// out: a int 24 16 32 16 64 24 16 4 8 32 4 4
#include <metal_stdlib>
using namespace metal;
struct A { char c; half h; long l; bool b; };
struct B { char c; float2 v; };
struct C { float f; float3 v; };
struct D { alignas(32) int i; int k[8]; };
struct E { uchar u; packed_float3 p; };
kernel void test(device int *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a += i * 12;
  a[0] = sizeof(A); a[1] = sizeof(B); a[2] = sizeof(C); a[3] = alignof(C); a[4] = sizeof(D); thread A t[2];
  a[5] = (thread char *)&t[1] - (thread char *)&t[0]; a[6] = sizeof(E); a[7] = sizeof(uchar3);
  a[8] = sizeof(half3); a[9] = sizeof(long3); a[10] = alignof(bool3); a[11] = sizeof(bool3);
}
