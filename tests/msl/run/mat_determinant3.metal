// section: 6.6 Matrix Functions
// construct: determinant of float3x3
// grid: 1
// in: a float 2 0 0 0 3 0 1 0 4
// out: out float 24
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = determinant(float3x3(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]));
}
