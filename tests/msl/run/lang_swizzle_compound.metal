// section: 2.2 Vector Data Types
// construct: v.xy += …
// grid: 1
// in: a float3 1 2 3
// out: out float3 11 22 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  float3 v = a[i];
  v.xy += float2(10, 20);
  out[i] = v;
}
