// section: 2.3 Matrix Data Types
// construct: vector *= matrix
// grid: 1
// out: a float 7 10
#include <metal_stdlib>
using namespace metal;
kernel void test(device float *a [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  float2 v = float2(1, 2);
  v *= float2x2(float2(3, 2), float2(4, 3));
  a[i * 2] = v.x;
  a[i * 2 + 1] = v.y;
}
