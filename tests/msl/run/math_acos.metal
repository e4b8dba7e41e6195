// section: 6.5 Math Functions
// construct: acos of float
// grid: 8
// in: a float 0.10000000149011612 0.25 0.5 0.75 0.8999999761581421 -0.30000001192092896
//   -0.6000000238418579 0
// out: out float within 1e-06: 1.4706289 1.31811607 1.04719755 0.722734248 0.451026866 1.87548899
//   2.21429747 1.57079633
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = acos(a[i]);
}
