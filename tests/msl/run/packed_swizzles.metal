// section: 2.2.3 Packed Vector Types
// construct: swizzles of packed vectors, read and written; ++, <<, ~, comparisons
// grid: 1
// in: p float 1 2 3 4 5 6 7 8
// out: p float 4 3 2 1 8 5 6 100
// out: out int 1 1 2 2 3 0 -3 6 7 1 0 4
#include <metal_stdlib>
using namespace metal;
kernel void f(device float *p, device int *out) {
  device packed_float4 *v = (device packed_float4 *)p;
  v[0] = v[0].abgr;
  packed_float4 q = v[1];
  q.wx = float2(9, 8);
  q.yz = v[1].xy;
  q.a = 100;
  v[1] = q;
  packed_int2 i(1, 2);
  packed_int2 s = packed_int2(i.xyxy.zw);
  out[0] = s.x;
  out[1] = i.xxy.y;
  out[2] = i.yyyy.w;
  out[3] = i++.y;
  out[4] = i.y;
  bool2 less = i < packed_int2(2, 3);
  out[5] = less.x || less.y;
  out[6] = (~i).x;
  out[7] = (i << 1).y;
  out[8] = (i | packed_int2(5, 5)).x;
  bool2 same = i == packed_int2(2, 0);
  out[9] = same.x;
  out[10] = same.y;
  packed_uchar4 u = packed_uchar4(1, 2, 3, 4);
  out[11] = u.wzyx.x;
}
