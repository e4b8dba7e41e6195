#include <metal_stdlib>
using namespace metal;
kernel float k(device float *x) { return x[0]; }
// expect: 3: must have void return type
