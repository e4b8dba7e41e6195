#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, uint i [[vertex_id]]) { x[i] = 1; }
// expect: 3: not allowed on a kernel parameter
