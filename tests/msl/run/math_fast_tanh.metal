// section: 6.5 Math Functions
// construct: fast::tanh
// grid: 8
// in: a float -5 -1 -0.25 0 0.5 1 2 10
// out: out float within 1e-06: -0.999909204 -0.761594156 -0.244918662 0 0.462117157 0.761594156
//   0.96402758 0.999999996
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fast::tanh(a[i]);
}
