// section: 3.1 Scalar and Vector Operators
// construct: compound assignment converts back: int *= float, uchar += int, half -= float, float3 *= int
// grid: 1
// in: x int 10
// out: a int 15 4 3 3 -32768 6 -2 3 25 0
#include <metal_stdlib>
using namespace metal;
kernel void test(device const int *x [[buffer(0)]], device int *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 10;
  int m = x[0]; m *= 1.5f; a[0] = m; uchar c = 250; c += 10; a[1] = c; half q = 1; q -= 0.25f; a[2] = q * 4;
  uint u = 10; u /= 3.0f; a[3] = u; short s = 1; s <<= 15; a[4] = s; float3 v = float3(1, 2, 3); v *= 2;
  a[5] = v.z; int3 w = int3(5); w -= 7; a[6] = w.y; m = 7; m >>= 1; a[7] = m; float2 z = 1; z /= 4;
  a[8] = z.y * 100; bool b = true; b &= false; a[9] = b;
}
