// section: 1.5.1 Overloading
// construct: a function of the program that C has and MSL has not
// grid: 2
// in: a float 0 1
// out: out float within 1e-06: 0 1.71828183
#include <metal_stdlib>
using namespace metal;

float expm1(float x) { return exp(x) - 1.0f; }

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = expm1(a[i]);
}
