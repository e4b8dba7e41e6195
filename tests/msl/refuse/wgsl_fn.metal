#include <metal_stdlib>
using namespace metal;
fn k(device float *x) { x[0] = 1; }
// expect: 3: kernel void name
