#include <metal_stdlib>
using namespace metal;
float f(float a) { for (int i = 0; i < 100000; i++) a = a * a - 1.5f; return a; }
constant float c = f(2);
kernel void k(device float *x) { x[0] = c; }
// expect: 4: constant expression
