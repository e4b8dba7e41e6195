#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, uint i [[thread_position_in_grid]],
              uint2 n [[threads_per_grid]]) { x[i] = n.y; }
// expect: 4: does not match
