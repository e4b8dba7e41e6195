// section: 2.21 Type Conversions and Reinterpreting Data
// construct: as_type between scalars and vectors of one size
// grid: 1
// in: a uint 1065353216
// in: b ulong 4575657221408423936
// out: o float 1 0 1
// out: p uint 16256 128 63
// out: q half 0 1.875
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *a [[buffer(0)]], device const ulong *b [[buffer(1)]], device float *o [[buffer(2)]], device uint *p [[buffer(3)]], device half *q [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  o[0] = as_type<float>(a[0]);
  float2 f = as_type<float2>(b[0]);
  o[1] = f.x;
  o[2] = f.y;
  ushort2 s = as_type<ushort2>(a[0]);
  uchar4 c = as_type<uchar4>(a[0]);
  p[0] = s.y;
  p[1] = c.z;
  p[2] = c.w;
  half2 h = as_type<half2>(a[0]);
  q[0] = h.x;
  q[1] = h.y;
}
