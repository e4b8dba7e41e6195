// section: 2.22 Implicit Type Conversions
// construct: int4 to char4 keeps the low bits, to ushort4 too
// grid: 1
// in: a int4 255 256 -1 384
// out: o char4 -1 0 -1 -128
// out: p ushort4 255 256 65535 384
#include <metal_stdlib>
using namespace metal;
kernel void k(device const int4 *a [[buffer(0)]], device char4 *o [[buffer(1)]], device ushort4 *p [[buffer(2)]], uint i [[thread_position_in_grid]]) {
  o[i] = char4(a[i]);
  p[i] = ushort4(a[i]);
}
