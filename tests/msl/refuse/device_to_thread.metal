#include <metal_stdlib>
using namespace metal;
float f(thread float *p) { return *p; }
kernel void k(device float *x) { x[0] = f(x); }
// expect: 4: address space
