// section: 6.2 Common Functions
// construct: sign of zeros, NaN and infinity
// repeats: no
// grid: 5
// math: safe
// in: a float 0 -0.0 nan -inf 3
// out: o float 0 0 0 -1 1
// out: p float inf -inf 0 0 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *a [[buffer(0)]], device float *o [[buffer(1)]], device float *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  float s = sign(a[i]);
  o[i] = s;
  p[i] = i < 2 ? 1 / s : 0;
}
