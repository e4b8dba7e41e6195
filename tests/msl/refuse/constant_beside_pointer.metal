#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x) { constant float *p = nullptr, c = 2; x[0] = p ? 1 : c; }
// expect: 3: a constant beside pointers
