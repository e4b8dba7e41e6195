#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, uint3 i [[thread_index_in_threadgroup]]) { x[0] = i.x; }
// expect: 3: invalid type 'uint3'
