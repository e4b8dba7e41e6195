// section: 6.5 Math Functions
// construct: precise::pow, also of negative x and whole y
// grid: 4
// in: a float 2 -3 -2 10
// in: b float 10 3 2 -3
// out: out float within 1e-06: 1024 -27 4 0.001
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = precise::pow(a[i], b[i]);
}
