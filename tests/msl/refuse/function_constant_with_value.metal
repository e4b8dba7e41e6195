#include <metal_stdlib>
using namespace metal;
constant int n [[function_constant(0)]] = 3; kernel void k(device float *x) { x[0] = n; }
// expect: 3: has no value of its own
