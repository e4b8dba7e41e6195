#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[texture(0)]]) { x[0] = 1; }
// expect: 3: does not fit
