#include <metal_stdlib>
using namespace metal;
kernel void k(device float *a [[buffer(0)]],
              device float *c [[buffer(0)]]) { c[0] = a[0]; }
// expect: 4: index 0
