#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x) { device float *p = x, y = 2; x[0] = p[1] + y; }
// expect: 3: cannot be in the device address space
