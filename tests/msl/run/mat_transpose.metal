// section: 6.6 Matrix Functions
// construct: transpose of float2x3
// repeats: no
// grid: 6
// in: a float 1 2 3 4 5 6
// out: out float 1 4 2 5 3 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float2x3 m = float2x3(float3(a[0], a[1], a[2]), float3(a[3], a[4], a[5]));
  float3x2 t = transpose(m);
  out[i] = t[i / 2][i % 2];
}
