#include <metal_stdlib>
using namespace metal;
kernel void k(float *x) { x[0] = 1; }
// expect: 3: pointer type must have explicit address space
