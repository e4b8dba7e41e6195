#include <metal_stdlib>
using namespace metal;
#define ADD(a, b) ((a) + (b))
kernel void k(device float *x) { x[0] = ADD(x[0]); }
// expect: 4: too few arguments|requires
