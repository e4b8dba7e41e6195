// section: 6.14 Pack and Unpack Functions
// repeats: no
// construct: unpack of snorm: the two smallest are both -1
// grid: 1
// in: a uint 2164293760
// out: o float4 0 0 -1 -1
#include <metal_stdlib>
using namespace metal;
kernel void k(device const uint *a [[buffer(0)]], device float4 *o [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  o[0] = unpack_snorm4x8_to_float(0x80810000u + i * a[0]);
}
