#include <metal_stdlib>
using namespace metal;
kernel void k(device float *a [[buffer(31)]]) { a[0] = 1; }
// expect: 3: must be between 0 and 30
