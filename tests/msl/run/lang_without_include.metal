// section: 6.1 Namespace and Header Files
// construct: the standard library without #include <metal_stdlib>
// grid: 2
// in: x float 1 4
// out: x float 2 4
using namespace metal;
kernel void k(device float *x, uint i [[thread_position_in_grid]]) { x[i] = max(metal::sqrt(x[i] * x[i]), 2.0f); }
