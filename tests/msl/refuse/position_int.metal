#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, int i [[thread_position_in_grid]]) { x[i] = i; }
// expect: 3: invalid type 'int'
