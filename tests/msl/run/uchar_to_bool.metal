// section: 2.1 Scalar Data Types
// construct: uchar(256) is 0, bool(256) is true, bool(0.5) too
// grid: 1
// out: o int 0 1 1 0 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device int *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  int n = 256 + int(i);
  float h = 0.5f, z = -0.0f;
  o[0] = uchar(n);
  o[1] = bool(n);
  o[2] = bool(h);
  o[3] = bool(z);
  o[4] = bool4(float4(0, 1, 0, h)).w;
}
