// section: 3.2 Matrix Operators
// construct: matrix × vector
// grid: 1
// in: a float 1
// out: out float within 1e-06: 2334
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float2x2 m = float2x2(1, 2, 3, 4);
  float2 v = m * float2(5, 6);
  out[i] = (v.x * 100 + v.y) * a[i];
}
