// section: 2.2 Vector Data Types
// repeats: no
// construct: swizzles on the left, in compound assignment, of elements of arrays
// grid: 1
// out: o float4 40 3 20 1
// out: p float4 1 12 3 14
#include <metal_stdlib>
using namespace metal;
kernel void k(device float4 *o [[buffer(0)]], device float4 *p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float4 v = float4(1, 2, 3, 4) + float(i);
  v.xz = v.wy * 10;
  v.wy = float2(1, 3);
  o[0] = v;
  float4 a[2] = {float4(0), float4(1, 2, 3, 4)};
  a[1].yw += 10;
  p[0] = a[1];
}
