#include <metal_stdlib>
using namespace metal;
kernel void k(RWStructuredBuffer<float> b, uint i [[thread_position_in_grid]]) { b[i] = 1; }
// expect: 3: device float
