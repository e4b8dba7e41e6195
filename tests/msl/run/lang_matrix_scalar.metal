// section: 3.2 Matrix Operators
// construct: matrix × scalar, + and -
// grid: 1
// in: a float 1
// out: out float within 1e-06: 106
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float2x2 m = 2.0f * float2x2(1, 2, 3, 4) - float2x2(1);
  out[i] = (m[0][0] * 100 + m[1][0]) * a[i];
}
