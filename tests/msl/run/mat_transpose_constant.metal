// section: 6.6 Matrix Functions
// construct: transpose of a matrix that the compiler knows
// grid: 2
// in: a float 1 2
// out: out float 3 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float4x4 t = transpose(float4x4(1));
  float2x2 m = transpose(float2x2(1, 2, 3, 4));
  out[i] = m[0][1] * t[0][0] * a[i];
}
