// section: 6.5 Math Functions
// construct: log of half
// grid: 8
// in: a half 0.5 1 2 4 10 100 1000 0.0010004043579101562
// out: out half within 0.001: -0.693359375 0 0.693359375 1.38671875 2.302734375 4.60546875
//   6.90625 -6.90625
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half *a [[buffer(0)]],
                 device half *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = log(a[i]);
}
