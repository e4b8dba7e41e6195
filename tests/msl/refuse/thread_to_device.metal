#include <metal_stdlib>
using namespace metal;
void f(device float *p) { *p = 1; }
kernel void k(device float *x) { float a = 2; f(&a); x[0] = a; }
// expect: 4: address space
