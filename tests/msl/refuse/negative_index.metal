#include <metal_stdlib>
using namespace metal;
kernel void k(device float *a [[buffer(-1)]]) { a[0] = 1; }
// expect: 3: index of zero or more
