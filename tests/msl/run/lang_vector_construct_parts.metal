// section: 2.2 Vector Data Types
// construct: float4(float2, float2), float3(float, float2)
// grid: 1
// in: a float2 1 2
// out: out float4 2 3 5 4
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = float4(a[i], float2(3, 4)) + float4(float3(1, a[i]), 0);
}
