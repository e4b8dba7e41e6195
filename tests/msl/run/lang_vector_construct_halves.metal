// section: 2.2 Vector Data Types
// construct: float4 of a float2 and one number, which fills the other half
// grid: 1
// in: a float2 1 2
// out: o float4 1 2 7 7
// out: p float4 7 7 1 2
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float2 *a [[buffer(0)]], device float4 *o [[buffer(1)]], device float4 *p [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  o[i] = float4(a[i], 7.0f);
  p[i] = float4(7.0f, a[i]);
}
