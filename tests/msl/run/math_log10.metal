// section: 6.5 Math Functions
// construct: log10 of float
// grid: 8
// in: a float 0.0010000000474974513 0.25 1 1.5 2 10 12345 1.0000000200408773e+20
// out: out float within 1e-06: -2.99999998 -0.602059991 0 0.176091259 0.301029996 1 4.09149109 20
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = log10(a[i]);
}
