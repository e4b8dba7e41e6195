#include <metal_stdlib>
using namespace metal;
float f(threadgroup float t) { return t; } kernel void k(device float *x) { x[0] = f(1); }
// expect: 3: parameter 't' cannot be in the threadgroup address space
