// section: 6.5 Math Functions
// construct: cosh of float
// grid: 8
// in: a float -5 -1 -0.25 0 0.5 1 2 10
// out: out float within 1e-06: 74.2099485 1.54308063 1.0314131 1 1.12762597 1.54308063 3.76219569
//   11013.2329
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = cosh(a[i]);
}
