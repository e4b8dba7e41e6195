#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[banana]]) { x[0] = 1; }
// expect: 3: unknown attribute 'banana'
