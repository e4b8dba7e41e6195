#include <metal_stdlib>
using namespace metal;
kernel void k(device int4 *o [[buffer(0)]], device const float4 *x [[buffer(1)]]) {
  bool4 b = x[0] > x[1];
  o[0] = int4(b) + int4(x[0] < x[1]);
  o[1] = x[0] > x[1];
}
// expect: 6: gives a bool4, which does not become a vector of integers
