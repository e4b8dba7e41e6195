#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]])
    [[max_total_threads_per_threadgroup(64)]] { x[i] = 0; }
// expect: 4: cannot be applied to types
