#include <metal_stdlib>
using namespace metal;
kernel void k(constant float *x [[buffer(0)]]) { x[0] = 1; }
// expect: 3: read only|read-only
