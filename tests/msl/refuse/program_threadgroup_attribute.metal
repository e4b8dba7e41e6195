#include <metal_stdlib>
using namespace metal;
__attribute__((aligned(16))) threadgroup float tile[64]; kernel void k(device float *x) { x[0] = tile[0]; }
// expect: 3: must reside in constant address space
