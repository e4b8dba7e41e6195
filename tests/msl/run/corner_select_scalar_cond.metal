// section: 6.4 Relational Functions
// construct: select(a, b, c) takes b where c is true, by vectors and by one bool
// grid: 1
// in: x float 1
// out: a float 5 2 7 4 1 2 7 8 2 1 1 4 0 1 1 0
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 16;
  float4 v = select(float4(1, 2, 3, 4), float4(5, 6, 7, 8), bool4(true, false, x[0] > 0, x[0] < 0));
  for (int k = 0; k < 4; k++) a[k] = v[k];
  v = select(float4(1, 2, 3, 4), float4(5, 6, 7, 8), float4(1, 2, 3, 4) > float4(2.5));
  for (int k = 0; k < 4; k++) a[4 + k] = v[k];
  a[8] = select(1.0f, 2.0f, x[0] > 0); a[9] = select(1, 2, false);
  int2 w = select(int2(1, 2), int2(3, 4), bool2(false, true)); a[10] = w.x; a[11] = w.y;
  a[12] = all(bool3(true, true, false)); a[13] = any(bool3(false, true, false));
  a[14] = all(float2(1, 2) == float2(1, 2)); a[15] = any(isnan(float2(0, 1)));
}
