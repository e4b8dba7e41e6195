// section: 6.14 Pack and Unpack Functions
// construct: packing clamps: values beyond the range, negative snorm ends; unpack of the ends
// grid: 1
// in: x float 2 -3
// out: a long 4286578943 2139193727 2147581951 4294901760 1 -127 -1 1 1 -1 0 1
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 12;
  a[0] = pack_float_to_unorm4x8(float4(x[0], x[1], 0.5, 1));
  a[1] = pack_float_to_snorm4x8(float4(x[0], x[1], -1, 1));
  a[2] = pack_float_to_snorm2x16(float2(x[0], x[1])); a[3] = pack_float_to_unorm2x16(float2(x[1], x[0]));
  float4 s = unpack_snorm4x8_to_float(0x7f80817fu); a[4] = s.x; a[5] = s.y * 127; a[6] = s.z; a[7] = s.w;
  float2 t = unpack_snorm2x16_to_float(0x80007fffu); a[8] = t.x; a[9] = t.y;
  float2 u = unpack_unorm2x16_to_float(0xffff0000u); a[10] = u.x; a[11] = u.y;
}
