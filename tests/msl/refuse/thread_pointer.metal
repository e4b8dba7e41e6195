#include <metal_stdlib>
using namespace metal;
kernel void k(thread float *x) { x[0] = 1; }
// expect: 3: cannot be in the thread address space
