// section: 6.2 Common Functions
// construct: clamp of float3 with scalar bounds
// grid: 2
// in: a float3 -1 0.25 2 5 -5 0
// out: out float3 0 0.25 1 1 0 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = clamp(a[i], 0.0f, 1.0f);
}
