#include <metal_stdlib>
using namespace metal;
kernel void k(device float4 *o [[buffer(0)]], constant int4 &c [[buffer(1)]]) {
  o[0] = c ? o[1] : o[2];
}
// expect: 4: the condition of ?: is a vector
