// section: 6.5 Math Functions
// construct: cos of half
// grid: 8
// in: a half 0 0.5 1 -1 2 -3 0.25 0.75
// out: out half within 0.001: 1 0.87744140625 0.54052734375 0.54052734375 -0.416259765625
//   -0.990234375 0.96875 0.7314453125
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = cos(a[i]);
}
