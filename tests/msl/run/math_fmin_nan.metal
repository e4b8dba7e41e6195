// section: 6.5 Math Functions
// construct: precise fmin and fmax ignore a NaN
// grid: 4
// in: a float nan 1 nan 3
// in: b float 2 nan nan 1
// out: out float 2 1 nan 1
// math: safe
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = precise::fmin(a[i], b[i]);
}
