// section: 2.5 Alignment of Data Types
// construct: packed vectors: component and index access, arithmetic, assignment from and to vectors, comparison
// grid: 1
// in: x packed_float3 1 2 3
// out: a float 3 19 9 9 4 2 3 12 5
#include <metal_stdlib>
using namespace metal;
kernel void test(device const packed_float3 *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 3;
  a += i * 9;
  packed_float3 p = x[0]; p.y = 9; p[2] += 1; float3 v = p * 2.0f + float3(1); p = v; a[0] = p.x; a[1] = p.y;
  a[2] = p.z; packed_half4 q = packed_half4(half4(1, 2, 3, 4)); q.x = 5.0h; half4 w = q; a[3] = w.x + w.w;
  packed_uchar4 u = packed_uchar4(250, 1, 2, 3); u += packed_uchar4(10, 1, 1, 1); a[4] = u.x; a[5] = u.y;
  a[6] = dot(float3(p), float3(1, 0, 0)); packed_int2 e(3, 4); int2 ee = e; a[7] = ee.x * ee.y;
  a[8] = length(float2(packed_float2(3, 4)));
}
