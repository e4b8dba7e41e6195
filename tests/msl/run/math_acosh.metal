// section: 6.5 Math Functions
// construct: acosh of float
// grid: 8
// in: a float 1 1.5 2 5 10 100 1000 1e+10
// out: out float within 1e-06: 0 0.96242365 1.3169579 2.29243167 2.99322285 5.29829237 7.60090221
//   23.7189981
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = acosh(a[i]);
}
