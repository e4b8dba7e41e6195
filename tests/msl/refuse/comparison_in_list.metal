#include <metal_stdlib>
using namespace metal;
struct Mask { int2 m; };
kernel void k(device int2 *o [[buffer(0)]], device const float2 *x [[buffer(1)]]) {
  Mask m = {x[0] > x[1]};
  o[0] = m.m;
}
// expect: 5: gives a bool2
