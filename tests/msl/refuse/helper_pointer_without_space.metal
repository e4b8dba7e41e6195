#include <metal_stdlib>
using namespace metal;
float sum(float *p) { return p[0] + p[1]; }
kernel void k(device float *x) { x[0] = 1; }
// expect: 3: pointer type must have explicit address space
