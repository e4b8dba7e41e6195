#include <metal_stdlib>
using namespace metal;
#error stop here
kernel void k(device float *x) { x[0] = 1; }
// expect: 3: stop here
