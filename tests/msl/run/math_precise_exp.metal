// section: 6.5 Math Functions
// construct: precise::exp
// grid: 8
// in: a float -3 -1 -0.5 0 0.25 1 2 30
// out: out float within 1e-06: 0.0497870684 0.367879441 0.60653066 1 1.28402542 2.71828183
//   7.3890561 1.06864746e+13
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = precise::exp(a[i]);
}
