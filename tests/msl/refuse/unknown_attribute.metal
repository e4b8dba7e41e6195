#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, uint i [[thread_position_in_gird]]) { x[i] = 1; }
// expect: 3: unknown attribute 'thread_position_in_gird'
