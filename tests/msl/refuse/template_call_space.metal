#include <metal_stdlib>
using namespace metal;
template <typename T> T twice(threadgroup T *p) { return p[0] + p[0]; }
template <typename T> T go(device T *p) { return twice(p); }
kernel void k(device float *x [[buffer(0)]]) { x[0] = go(x); }
// expect: 4: the parameter in the threadgroup address space
