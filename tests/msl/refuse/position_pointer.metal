#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, device uint *i [[thread_position_in_grid]]) { x[0] = i[0]; }
// expect: 3: invalid type
