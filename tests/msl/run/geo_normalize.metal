// section: 6.8 Geometric Functions
// construct: normalize
// grid: 2
// in: a float3 2 3 6 0 0 5
// out: out float3 within 1e-06: 0.285714286 0.428571429 0.857142857 0 0 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = normalize(a[i]);
}
