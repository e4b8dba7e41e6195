#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> a [[buffer(0)]], device float *x) { x[0] = a.get_width(); }
// expect: 3: [[texture(n)]]
