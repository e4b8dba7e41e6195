#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, uint4 i [[thread_position_in_grid]]) { x[0] = i.x; }
// expect: 3: invalid type 'uint4'
