// section: 6.6 Matrix Functions
// construct: determinant of float4x4
// grid: 1
// in: a float 1 2 3 4
// out: out float 24
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float4x4 m = float4x4(0.0f);
  for (int k = 0; k < 4; k++) m[k][k] = a[k];
  m[0][1] = 5;
  out[i] = determinant(m);
}
