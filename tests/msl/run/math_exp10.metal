// section: 6.5 Math Functions
// construct: exp10 of float
// grid: 8
// in: a float -3 -1 -0.5 0 0.25 1 2 30
// out: out float within 1e-06: 0.001 0.1 0.316227766 1 1.77827941 10 100 1e+30
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = exp10(a[i]);
}
