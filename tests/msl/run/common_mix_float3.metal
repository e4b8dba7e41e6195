// section: 6.2 Common Functions
// construct: mix of float3 by a scalar
// grid: 2
// in: a float3 0 0 0 2 4 6
// out: out float3 5 10 15 6 12 18
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = mix(a[i], float3(10, 20, 30), 0.5);
}
