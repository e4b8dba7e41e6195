// section: 1.5 Metal and C++17
// construct: a union of a float, an int and an array of bytes
// grid: 1
// in: a float -2
// out: o uint 3221225472 192 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float *a [[buffer(0)]], device uint *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  union { float f; uint u; uchar b[4]; } x;
  x.f = a[0];
  o[0] = x.u;
  o[1] = x.b[3];
  o[2] = x.b[0];
}
