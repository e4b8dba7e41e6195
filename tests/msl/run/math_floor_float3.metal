// section: 6.5 Math Functions
// construct: floor of float3
// grid: 2
// in: a float3 -2.5 -1.5 -0.5 0.5 1.5 2.5
// out: out float3 -3 -2 -1 0 1 2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = floor(a[i]);
}
