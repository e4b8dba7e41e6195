// section: 6.5 Math Functions
// construct: tanpi of float
// grid: 8
// in: a float 0 0.25 -0.25 0.125 -0.75 10.125 3 0.3333333432674408
// out: out float within 1e-06: 0 1 -1 0.414213562 1 0.414213562 0 1.73205093
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = tanpi(a[i]);
}
