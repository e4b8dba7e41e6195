#include <metal_stdlib>
using namespace metal;
struct Node { float value; float *next; };
kernel void k(device float *x) { x[0] = 1; }
// expect: 3: pointer type must have explicit address space
