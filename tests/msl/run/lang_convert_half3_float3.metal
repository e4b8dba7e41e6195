// section: 2.21 Type Conversions and Reinterpreting Data
// construct: half3(float3) and back
// grid: 1
// in: a float3 0.1 2 3
// out: out float3 0.0999755859375 2 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = float3(half3(a[i]));
}
