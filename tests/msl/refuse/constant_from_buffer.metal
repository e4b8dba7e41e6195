#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x) { constant float c = x[1]; x[0] = c; }
// expect: 3: must be initialized by a constant expression
