// section: 6.5 Math Functions
// construct: fast::rsqrt
// grid: 8
// in: a float 0.0010000000474974513 0.25 1 1.5 2 10 12345 1.0000000200408773e+20
// out: out float within 1e-06: 31.6227759 2 1 0.816496581 0.707106781 0.316227766 0.00900024751
//   9.9999999e-11
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fast::rsqrt(a[i]);
}
