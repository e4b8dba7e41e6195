#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { let a = x[i]; x[i] = a; }
// expect: 3: write auto
