#include <metal_stdlib>
using namespace metal;
kernel void k(device float *restrict x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 0; }
// expect: 3: 'restrict' is not a keyword
