#include <metal_stdlib>
using namespace metal;
constant char *s = "abc;
kernel void k(device float *x) { x[0] = 1; }
// expect: 3: terminating
