// section: 6.5 Math Functions
// construct: asinh of float
// grid: 8
// in: a float -5 -1 -0.25 0 0.5 1 2 10
// out: out float within 1e-06: -2.31243834 -0.881373587 -0.247466462 0 0.481211825 0.881373587
//   1.44363548 2.99822295
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = asinh(a[i]);
}
