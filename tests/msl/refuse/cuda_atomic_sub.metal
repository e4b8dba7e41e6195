#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = atomicSub(&x[0], 1); }
// expect: 3: atomic_fetch_sub_explicit
