#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x) { x[0] = 1; }
kernel void k(device float *x) { x[0] = 2; }
// expect: 4: redefinition of 'k'
