#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]]) {
  o[0] = 1;
// expect: 6: expected '}'
