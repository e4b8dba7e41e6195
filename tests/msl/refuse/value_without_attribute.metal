#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, uint n) { x[0] = n; }
// expect: 3: invalid type 'uint'
