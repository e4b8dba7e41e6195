// section: 2.2 Vector Data Types
// construct: writing swizzles and single components in a device buffer leaves the others
// grid: 1
// in: a float4 1 2 3 4 10 20 30 40
// out: a float4 1 5 7 8 13 40 9 20
#include <metal_stdlib>
using namespace metal;
kernel void test(device float4 *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  a += i * 8;
  a[0].y = 5; a[0].zw = float2(7, 8); a[1].x += 3; a[1][2] = 9; a[1].wy = a[1].yw;
}
