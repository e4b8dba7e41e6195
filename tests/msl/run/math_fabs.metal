// section: 6.5 Math Functions
// construct: fabs of float
// grid: 8
// in: a float -2.5 -1.5 -0.5 0.5 1.5 2.5 2.75 -7.25
// out: out float 2.5 1.5 0.5 0.5 1.5 2.5 2.75 7.25
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fabs(a[i]);
}
