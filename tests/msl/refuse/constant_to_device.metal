#include <metal_stdlib>
using namespace metal;
float f(device const float *p) { return *p; }
kernel void k(constant float *c, device float *x) { x[0] = f(c); }
// expect: 4: address space
