#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, float i [[thread_position_in_grid]]) { x[0] = i; }
// expect: 3: invalid type 'float'
