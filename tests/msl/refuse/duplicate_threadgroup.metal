#include <metal_stdlib>
using namespace metal;
kernel void k(threadgroup float *a [[threadgroup(0)]],
  threadgroup float *c [[threadgroup(0)]]) { c[0] = a[0]; }
// expect: 4: index 0
