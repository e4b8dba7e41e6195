#include <metal_stdlib>
using namespace metal;
kernel void k(__local float *x) { x[0] = 1; }
// expect: 3: __local
