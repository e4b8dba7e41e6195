#include <metal_stdlib>
using namespace metal;
kernal void k(device float *x [[buffer(0)]]) { x[0] = 1; }
// expect: 3: Write kernel
