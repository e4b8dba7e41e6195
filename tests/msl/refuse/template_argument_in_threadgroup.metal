#include <metal_stdlib>
using namespace metal;
template <typename T> float f() { T t[4]; t[0] = 1; return t[0]; } kernel void k(device float *x) { x[0] = f<threadgroup float>(); }
// expect: 3: cannot be in the address space that its type has
