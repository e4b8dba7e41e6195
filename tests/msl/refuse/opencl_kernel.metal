#include <metal_stdlib>
using namespace metal;
__kernel void k(device float *x) { x[0] = 1; }
// expect: 3: __kernel
