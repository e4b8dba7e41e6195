// section: 6.8 Geometric Functions
// construct: length
// grid: 2
// in: a float3 2 3 6 0 0 0
// out: out float within 1e-06: 7 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = length(a[i]);
}
