// section: 1.5.1 Overloading
// construct: half3 * float3(half3) arithmetic
// grid: 1
// in: a half3 1 2 3
// out: out float3 2 4 6
#include <metal_stdlib>
using namespace metal;

kernel void test(device const half3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = float3(a[i]) * 2.0f;
}
