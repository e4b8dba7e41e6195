// section: 3.1 Scalar and Vector Operators
// construct: half with float is float; half vector with half scalar stays half
// grid: 1
// in: x half 3
// out: a float 0.30000001192092896 2048 4 2 8
#include <metal_stdlib>
using namespace metal;
kernel void test(device const half *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 5;
  half p = x[0];
  float g = p * 0.1f;
  half4 v = half4(1, 2, 3, 2048) + half(1);
  a[0] = g; a[1] = v.w; a[2] = sizeof(p * 1.0f); a[3] = sizeof(p * p); a[4] = sizeof(v * p);
}
