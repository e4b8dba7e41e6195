// section: 6.5 Math Functions
// construct: cospi of float
// grid: 8
// in: a float 0 0.25 1 2 -0.75 10.25 3 0.3333333432674408
// out: out float within 1e-06: 1 0.707106781 -1 1 -0.707106781 0.707106781 -1 0.499999973
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = cospi(a[i]);
}
