#include <metal_stdlib>
#include <metal_raytracing>
using namespace metal;
kernel void k(device float *x [[buffer(0)]]) { x[0] = 1; }
// expect: 2: file not found
