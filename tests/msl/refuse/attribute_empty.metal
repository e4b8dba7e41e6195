#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, uint2 p [[]]) { x[0] = p.x; }
// expect: 3: invalid type 'uint2' for a kernel parameter without an attribute
