#include <metal_stdlib>
using namespace metal;
const float pi = 3.14159f;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = pi; }
// expect: 3: must reside in constant address space
