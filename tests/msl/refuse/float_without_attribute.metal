#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, float scale) { x[0] = scale; }
// expect: 3: invalid type 'float'
