#include <metal_stdlib>
using namespace metal;
kernel void k(texture2d<float> a [[texture(128)]], device float *x) { x[0] = a.get_width(); }
// expect: 3: must be between 0 and 127
