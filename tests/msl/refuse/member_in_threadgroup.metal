#include <metal_stdlib>
using namespace metal;
struct S { threadgroup float t[4]; float u; }; kernel void k(device float *x) { S s; s.u = 1; x[0] = s.u; }
// expect: 3: a member of a struct cannot be in the threadgroup address space
