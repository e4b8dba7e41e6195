// section: 6.14 Pack and Unpack Functions
// construct: unorm and snorm round to nearest and clamp
// grid: 1
// out: o uint 16777088 4294967040 33153 2147450881
#include <metal_stdlib>
using namespace metal;
kernel void k(device uint *o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float z = float(i);
  o[0] = pack_float_to_unorm4x8(float4(0.5f, 1, 1, 0) + z);
  o[1] = pack_float_to_unorm4x8(float4(-1, 2, 1.5f, 1) + z);
  o[2] = pack_float_to_snorm4x8(float4(-1, -2, 0, 0) + z) & 0xffffu;
  o[3] = pack_float_to_snorm2x16(float2(-1, 1) + z);
}
