// section: 3.2 Matrix Operators
// construct: float4x4(1) is the identity
// grid: 1
// in: a float 1
// out: out float within 1e-06: 4321
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float4 v = float4x4(1.0) * float4(1, 2, 3, 4);
  out[i] = dot(v, float4(1, 10, 100, 1000)) * a[i];
}
