#include <metal_stdlib>
using namespace metal;
kernel void k(device int *o [[buffer(0)]], device const float4 *x [[buffer(1)]]) {
  o[0] = any(~(x[0] > x[1]));
}
// expect: 4: gives a bool4
