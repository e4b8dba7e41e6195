#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *x [[buffer(0)]],
              float *y [[buffer(1)]],
              uint i [[thread_position_in_grid]]) { y[i] = x[i]; }
// expect: 4: pointer type must have explicit address space
