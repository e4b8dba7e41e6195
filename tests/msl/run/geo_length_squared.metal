// section: 6.8 Geometric Functions
// construct: length_squared
// grid: 1
// in: a float2 3 4
// out: out float 25
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = length_squared(a[i]);
}
