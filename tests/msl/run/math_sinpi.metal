// section: 6.5 Math Functions
// construct: sinpi of float
// grid: 8
// in: a float 0 0.25 0.5 2 -0.75 10.25 -0.5 0.3333333432674408
// out: out float within 1e-06: 0 0.707106781 1 0 -0.707106781 0.707106781 -1 0.866025419
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = sinpi(a[i]);
}
