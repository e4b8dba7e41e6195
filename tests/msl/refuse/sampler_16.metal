#include <metal_stdlib>
using namespace metal;
kernel void k(sampler a [[sampler(16)]], device float *x) { x[0] = 1; }
// expect: 3: must be between 0 and 15
