// section: 6.5 Math Functions
// construct: log of zero, infinity, negative numbers
// grid: 5
// in: a float 0 inf -1 nan 1
// out: out float -inf inf nan nan 0
// math: safe
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = log(a[i]);
}
