#include <metal_stdlib>
using namespace metal;
threadgroup float f() { return 1; } kernel void k(device float *x) { x[0] = f(); }
// expect: 3: cannot return a value in the threadgroup address space
