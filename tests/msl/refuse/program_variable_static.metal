#include <metal_stdlib>
using namespace metal;
static int counter;
kernel void k(device float *x) { x[0] = counter; }
// expect: 3: must reside in constant address space
