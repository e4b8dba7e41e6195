// section: 3.2 Matrix Operators
// construct: columns of float3x2, indexing and assignment
// grid: 1
// in: a float 1
// out: out float within 1e-06: 63
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float3x2 m;
  m[0] = float2(1, 2);
  m[1] = float2(3, 4);
  m[2] = float2(5, 6);
  out[i] = (m[2].y * 10 + m[1][0]) * a[i];
}
