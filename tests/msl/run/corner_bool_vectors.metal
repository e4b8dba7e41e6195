// section: 2.2 Vector Data Types
// construct: bool vectors: conversion to numbers gives 0 and 1, from numbers nonzero is true, ~ and !
// grid: 1
// in: x float4 0.5 0 -2 0
// out: a float 1 0 1 0 0 1 0 1 1 0 0 0 1 0 1 0 2 1 0 0 4
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float4 *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 4;
  a += i * 21;
  bool4 b = bool4(x[0]); float4 v = float4(b); int4 w = int4(!b); uint4 u = uint4(x[0] > 0.0f);
  half4 q = half4(b);
  for (int k = 0; k < 4; k++) { a[k] = v[k]; a[4 + k] = w[k]; a[8 + k] = u[k]; a[12 + k] = q[k]; }
  a[16] = b.x + b.y + b.z + b.w; bool3 s = b.xyz && bool3(true, true, false); a[17] = s.x; a[18] = s.y;
  a[19] = s.z; a[20] = sizeof(bool4);
}
