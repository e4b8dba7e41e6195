// section: 3.2 Matrix Operators
// construct: matrix × matrix
// grid: 1
// in: a float 1
// out: out float within 1e-06: 23046
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float2x2 m = float2x2(1, 2, 3, 4) * float2x2(5, 6, 7, 8);
  out[i] = (m[0][0] * 1000 + m[1][1]) * a[i];
}
