#include <metal_stdlib>
using namespace metal;
void f(device float *p) { *p = 1; }
kernel void k(device float *x) { threadgroup float t[4]; f(t); x[0] = t[0]; }
// expect: 4: address space
