// section: 6.5 Math Functions
// construct: fmod has the sign of the first argument, vector and scalar
// grid: 1
// in: x float 7.25
// out: a float 1.25 -1.25 1.25 1.5 -1.5 3
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 6;
  a[0] = fmod(x[0], 3.0f); a[1] = fmod(-x[0], 3.0f); a[2] = fmod(x[0], -3.0f);
  float2 v = fmod(float2(5.5, -5.5), float2(2)); a[3] = v.x; a[4] = v.y; a[5] = fmod(7.0h, 4.0h);
}
