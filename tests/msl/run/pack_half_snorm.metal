// section: 6.14 Pack and Unpack Functions
// construct: half packed to snorm and unorm, and back
// grid: 1
// out: o uint 2130739583 4278190208
// out: p half4 1 0 -1 0
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], device half4 *p [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  half z = half(i);
  o[0] = pack_half_to_snorm4x8(half4(1, -1, 0, 1) + z);
  o[1] = pack_half_to_unorm4x8(half4(0.5h, 0, 0, 1) + z);
  p[0] = half4(unpack_snorm4x8_to_half(0x0081007fu + i));
}
