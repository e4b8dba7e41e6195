// section: 6.5 Math Functions
// construct: log2 of float
// grid: 8
// in: a float 0.0010000000474974513 0.25 1 1.5 2 10 12345 1.0000000200408773e+20
// out: out float within 1e-06: -9.96578422 -2 0 0.584962501 1 3.32192809 13.5916392 66.4385619
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = log2(a[i]);
}
