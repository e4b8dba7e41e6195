#include <metal_stdlib>
using namespace metal;
template <typename T> struct tag { enum { value = 0 }; };
template <typename T> struct tag<device T *> { enum { value = 1 }; };
template <typename T> struct tag<threadgroup T *> { enum { value = 2 }; };
kernel void k(device float *x [[buffer(0)]]) { x[0] = tag<device float *>::value; }
// expect: 5: cannot differ in what they hold
