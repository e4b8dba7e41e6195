#include <metal_stdlib>
using namespace metal;
float f(float a);
kernel void k(device float *x) { x[0] = f(x[0]); }
// expect: 4: undefined symbol
