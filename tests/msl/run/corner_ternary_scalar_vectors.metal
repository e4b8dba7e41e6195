// section: 3.1 Scalar and Vector Operators
// construct: a scalar condition chooses between whole vectors; nested
// grid: 1
// in: x float 1
// out: a float 1 2 3 2 4 6
#include <metal_stdlib>
using namespace metal;
kernel void test(device const float *x [[buffer(0)]], device float *a [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x += i * 1;
  a += i * 6;
  float3 v = x[0] > 0 ? float3(1, 2, 3) : float3(4, 5, 6);
  float3 w = x[0] < 0 ? v : (x[0] == 1 ? v * 2 : v * 3);
  for (int k = 0; k < 3; k++) { a[k] = v[k]; a[3 + k] = w[k]; }
}
