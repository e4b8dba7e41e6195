#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer]]) { x[0] = 1; }
// expect: 3: 'buffer' attribute takes one argument
