#include <metal_stdlib>
using namespace metal;
kernel
[[max_total_threads_per_threadgroup(64)]]
void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 0; }
// expect: 4: cannot appear here
