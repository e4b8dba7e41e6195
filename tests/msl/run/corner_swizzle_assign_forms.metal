// section: 2.2 Vector Data Types
// construct: swizzle assignment out of order, compound, to itself, from a function, on a member of a device struct
// grid: 1
// in: x float4 1 2 3 4
// out: a float 4 1 2 4 6 2 6 4 2 300 3 300 200 -1 3 3
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float4 *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 4;
  a += i * 16;
  float4 v = x[0]; v.wzyx = v; a[0] = v.x; a[1] = v.w; v.xz = v.zx; a[2] = v.x; a[3] = v.z; v.yw *= 2;
  a[4] = v.y; a[5] = v.w; v.xyz = v.yzx; a[6] = v.x; a[7] = v.y; a[8] = v.z;
  v.rg = float2(100, 200); a[9] = v.x + v.y; v.b += 1; a[10] = v.z; v.xy = v.yx + v.xx; a[11] = v.x;
  a[12] = v.y; v[3] = -1; a[13] = v.w; a[14] = v.zyx.x; a[15] = v.xyzw.wz.y;
}
