// section: 2.2 Vector Data Types
// repeats: no
// construct: vectors beside scalars of other types: the scalar is converted
// grid: 1
// out: o float4 3 5 7 9
// out: p int4 2 4 6 8
// out: q half4 0.5 1 1.5 2
#include <metal_stdlib>
using namespace metal;
kernel void k(device float4 *o [[buffer(0)]], device int4 *p [[buffer(1)]], device half4 *q [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  int4 n = int4(1, 2, 3, 4) + int(i);
  o[0] = float4(n) * 2 + 1;
  p[0] = n * 2;
  q[0] = half4(n) / 2;
}
