// section: 2.21 Type Conversions and Reinterpreting Data
// construct: as_type of a long to int2, short4 and half4
// grid: 1
// in: a ulong 4323455642275691521
// out: o uint 15361 1006632960 15361 0 0 15360
// out: p half4 1.0009765625 0 0 1
#include <metal_stdlib>
using namespace metal;
kernel void k(device const ulong *a [[buffer(0)]], device uint *o [[buffer(1)]], device half4 *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  uint2 u = as_type<uint2>(a[0]);
  ushort4 s = as_type<ushort4>(a[0]);
  o[0] = u.x;
  o[1] = u.y;
  o[2] = s.x;
  o[3] = s.y;
  o[4] = s.z;
  o[5] = s.w;
  p[0] = as_type<half4>(a[0]);
}
