#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, threadgroup float s [[threadgroup(0)]]) { x[0] = s; }
// expect: 3: invalid type
