// section: 6.5 Math Functions
// construct: exp of infinities, zero and NaN
// grid: 6
// in: a float -inf inf 0 nan -1000 1000
// out: out float 0 inf 1 nan 0 inf
// math: safe
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = exp(a[i]);
}
