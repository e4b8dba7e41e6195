#include <metal_stdlib>
using namespace metal;
kernel void k(threadgroup float *s [[buffer(0)]], device float *x) { x[0] = s[0]; }
// expect: 3: does not fit
