#include <metal_stdlib>
using namespace metal;
kernel void k(device double *x) { x[0] = 1; }
// expect: 3: 'double' is not supported
