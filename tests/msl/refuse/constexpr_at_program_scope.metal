#include <metal_stdlib>
using namespace metal;
constexpr float weights[2] = {0.5f, 0.25f};
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = weights[i & 1]; }
// expect: 3: must reside in constant address space
