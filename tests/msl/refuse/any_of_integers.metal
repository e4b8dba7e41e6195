#include <metal_stdlib>
using namespace metal;
kernel void k(device bool *o [[buffer(0)]], device const int4 *x [[buffer(1)]], device const float3 *f [[buffer(2)]]) {
  bool4 b = x[0] > x[1];
  o[0] = any(b) || any(x[0] > 0) || all((x[0] > 0) & (x[1] != 3)) || any(!(x[0] > 0)) || any(bool4(x[0]));
  o[1] = any(x[0]);
}
// expect: 6: any takes a vector of bools
