#include <metal_stdlib>
using namespace metal;
float f(float a) { return a; }
constant float c = f(2);
kernel void k(device float *x) { x[0] = c; }
// expect: 4: constant expression
