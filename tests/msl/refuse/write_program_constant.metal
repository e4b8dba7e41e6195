#include <metal_stdlib>
using namespace metal;
constant float table[2] = {1, 2};
kernel void k(device float *x) { table[0] = x[0]; }
// expect: 4: const
