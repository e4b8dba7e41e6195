// section: 6.5 Math Functions
// construct: fast::log
// grid: 8
// in: a float 0.0010000000474974513 0.25 1 1.5 2 10 12345 1.0000000200408773e+20
// out: out float within 1e-06: -6.90775523 -1.38629436 0 0.405465108 0.693147181 2.30258509
//   9.4210064 46.0517019
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fast::log(a[i]);
}
