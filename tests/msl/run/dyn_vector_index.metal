// section: 2.2 Vector Data Types
// construct: a component chosen at run time is read and written
// grid: 4
// repeats: no
// out: o float4 9 1 2 3  0 9 2 3  0 1 9 3  0 1 2 9
// out: p float 0 1 2 3
#include <metal_stdlib>
using namespace metal;
kernel void k(device float4 *o [[buffer(0)]], device float *p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  float4 v = float4(0, 1, 2, 3);
  p[i] = v[i];
  v[i] = 9;
  o[i] = v;
}
