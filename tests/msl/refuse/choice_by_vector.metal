#include <metal_stdlib>
using namespace metal;
kernel void k(device float4 *o [[buffer(0)]]) {
  float4 a = o[0], b = o[1];
  o[2] = select(b, a, a > b);
  o[3] = a > b ? a : b;
}
// expect: 6: the condition of ?: is a vector
