// section: 2.21 Type Conversions and Reinterpreting Data
// construct: as_type between float4 and uchar16-sized parts: uint2, ushort4, half4, char4, long
// grid: 1
// in: x uint 287454020
// out: a long 13124 4386 68 17 2882343476 3221240832 1065353216 8589934593 1 -2 15360 1073741824 -56 16256
#include <metal_stdlib>
using namespace metal;
kernel void test(device const uint *x [[buffer(0)]], device long *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 14;
  ushort2 s = as_type<ushort2>(x[0]); a[0] = s.x; a[1] = s.y; uchar4 c = as_type<uchar4>(x[0]); a[2] = c.x;
  a[3] = c.w;
  a[4] = as_type<uint>(ushort2(0x1234, 0xABCD)); a[5] = as_type<uint>(half2(1.0h, -2.0h));
  a[6] = as_type<int>(1.0f); a[7] = as_type<ulong>(uint2(1, 2));
  half2 hh = as_type<half2>(0xC0003C00u); a[8] = hh.x; a[9] = hh.y; a[10] = as_type<ushort>(1.0h);
  uint2 u = as_type<uint2>(float2(1, 2)); a[11] = u.y;
  a[12] = as_type<char>((uchar)200); a[13] = as_type<ushort>(bfloat(1.0f));
}
