// section: 6.5 Math Functions
// construct: cos of float
// grid: 8
// in: a float -3 -1 -0.5 0 0.25 1 2 30
// out: out float within 1e-06: -0.989992497 0.540302306 0.877582562 1 0.968912422 0.540302306
//   -0.416146837 0.15425145
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = cos(a[i]);
}
