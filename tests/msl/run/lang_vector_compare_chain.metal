// section: 2.2 Vector Data Types
// construct: comparisons of vectors, negated, joined, selected by
// grid: 1
// in: a float4 1 2 3 4
// out: o float4 0 2 3 0
// out: p int4 1 0 0 1
// out: q int 0 1 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device const float4 *a [[buffer(0)]], device float4 *o [[buffer(1)]], device int4 *p [[buffer(2)]], device int *q [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  float4 v = a[0];
  bool4 in = v > 1.0f && v < 4.0f;
  o[0] = select(float4(0), v, in);
  p[0] = int4(!in);
  q[0] = all(in);
  q[1] = any(in);
  q[2] = any(v == float4(4)) && all(v != 5.0f);
}
