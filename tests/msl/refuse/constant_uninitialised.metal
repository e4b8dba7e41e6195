#include <metal_stdlib>
using namespace metal;
constant float c;
kernel void k(device float *x) { x[0] = c; }
// expect: 3: initial
