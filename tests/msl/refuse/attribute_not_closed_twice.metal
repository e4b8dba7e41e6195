#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0 float4(p) ]]) { o[0] = 1; }
// expect: 3: expected ')' in an attribute
