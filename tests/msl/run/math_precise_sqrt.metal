// section: 6.5 Math Functions
// construct: precise::sqrt
// grid: 8
// in: a float 0.0010000000474974513 0.25 1 1.5 2 10 12345 1.0000000200408773e+20
// out: out float within 1e-06: 0.0316227774 0.5 1 1.22474487 1.41421356 3.16227766 111.108056
//   1.00000001e+10
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = precise::sqrt(a[i]);
}
