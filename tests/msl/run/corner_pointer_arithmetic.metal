// section: 4 Address Spaces
// construct: pointer differences, negative indices, pointers to vectors as scalars, two-dimensional arrays by pointer
// grid: 1
// group: 1
// repeats: no
// in: x float 1 2
// out: a float 3 3 5 0 6 9 8 7 2 1
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 2;
  a += i * 10;
  device float *p = a + 3; p[-1] = 5; a[0] = p - a; device float4 *v = (device float4 *)(a + 4); (*v).y = 9;
  v->z = 8; ((device float *)v)[3] = 7; threadgroup float g[2][4]; threadgroup float *q = &g[0][0];
  if (i >= 0) { q[5] = 3; } a[1] = g[1][1]; float t[2][3] = {{1, 2, 3}, {4, 5, 6}};
  thread float (*row)[3] = t + 1; a[4] = (*row)[2]; a[8] = sizeof(t) / sizeof(t[0]); a[9] = x[1] == *(x + 1);
}
