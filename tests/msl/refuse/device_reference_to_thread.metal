#include <metal_stdlib>
using namespace metal;
void f(thread float &a) { a = 1; }
kernel void k(device float *x) { f(x[0]); }
// expect: 4: address space
