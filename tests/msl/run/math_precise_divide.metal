// section: 6.5 Math Functions
// construct: divide of float
// grid: 4
// in: a float 1 10 -7 2
// in: b float 3 7 3 3
// out: out float within 1e-07: 0.333333333 1.42857143 -2.33333333 0.666666667
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device const float *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = precise::divide(a[i], b[i]);
}
