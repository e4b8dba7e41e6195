#include <metal_stdlib>
using namespace metal;
__global__ void k(device float *x) { x[0] = 1; }
// expect: 3: __global__
