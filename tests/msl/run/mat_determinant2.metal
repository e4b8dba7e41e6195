// section: 6.6 Matrix Functions
// construct: determinant of float2x2
// grid: 1
// in: a float 1 2 3 4
// out: out float -2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = determinant(float2x2(a[0], a[1], a[2], a[3]));
}
