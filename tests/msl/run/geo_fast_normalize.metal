// section: 6.8 Geometric Functions
// construct: fast::normalize and precise::length
// grid: 1
// in: a float2 3 4
// out: out float2 within 1e-06: 3 4
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device float2 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = fast::normalize(a[i]) * precise::length(a[i]);
}
