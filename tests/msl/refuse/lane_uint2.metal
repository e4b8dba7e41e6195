#include <metal_stdlib>
using namespace metal;
kernel void k(device float *x, uint2 i [[thread_index_in_simdgroup]]) { x[0] = i.x; }
// expect: 3: invalid type 'uint2'
