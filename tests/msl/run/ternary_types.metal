// section: 3.1 Scalar and Vector Operators
// construct: the two sides of ?: meet in one type
// repeats: no
// grid: 2
// out: o float 4294967296 1.5
// out: p int 4 8
#include <metal_stdlib>
using namespace metal;
kernel void k(device float *o [[buffer(0)]], device int *p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  int n = -1;
  uint u = 1;
  o[i] = i == 0 ? float(i == 0 ? n : u) : (i == 1 ? 1.5f : n);
  p[0] = sizeof(i ? n : u);
  p[1] = sizeof(i ? 1L : 2);
}
