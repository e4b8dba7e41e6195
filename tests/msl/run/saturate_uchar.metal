// section: 2.22 Implicit Type Conversions
// repeats: no
// construct: the usual way from float to uchar by clamp and rounding
// grid: 1
// in: a float4 -3 0.5 254.5 300
// out: o uchar4 0 0 254 255
// out: p uchar4 0 1 255 255
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float4 *a [[buffer(0)]], device uchar4 *o [[buffer(1)]], device uchar4 *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float4 v = clamp(a[0], 0.0f, 255.0f);
  o[0] = uchar4(rint(v));
  p[0] = uchar4(v + 0.5f);
}
