// section: 6.5 Math Functions
// construct: fast::cos within -pi to pi
// grid: 8
// in: a float -3 -2 -1 -0.5 0.5 1 2 3
// out: out float within 2e-06: -0.989992497 -0.416146837 0.540302306 0.877582562 0.877582562
//   0.540302306 -0.416146837 -0.989992497
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fast::cos(a[i]);
}
