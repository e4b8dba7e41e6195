#include <metal_stdlib>
using namespace metal;
#include <vector>
kernel void k(device float *x) { x[0] = 1; }
// expect: 3: file not found
