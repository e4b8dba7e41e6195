#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *x) { x[0] = 1; }
// expect: 3: read-only
