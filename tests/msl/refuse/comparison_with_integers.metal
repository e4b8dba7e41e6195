#include <metal_stdlib>
using namespace metal;
kernel void k(device int4 *o [[buffer(0)]], device const float4 *x [[buffer(1)]]) {
  int4 m = o[0];
  if (any(x[0] > x[1] & m)) o[1] = m;
}
// expect: 5: gives a bool4
