#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], float s [[buffer(1)]]) { x[0] = s; }
// expect: 3: invalid type 'float' for buffer
