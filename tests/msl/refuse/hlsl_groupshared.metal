#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { groupshared float t[32]; t[i] = x[i]; }
// expect: 3: write threadgroup
