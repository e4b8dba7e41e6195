#include <metal_stdlib>
using namespace metal;
int h(int4 a, int4 b) { return 1; }
int h(bool4 a, bool4 b) { return 2; }
kernel void k(device int *o [[buffer(0)]], device const float4 *x [[buffer(1)]]) {
  float4 a = x[0], b = x[1];
  o[0] = h(bool4(a < b), bool4(b > (a)));
  o[1] = h(a < b, b > (a));
}
// expect: 8: gives a bool4
