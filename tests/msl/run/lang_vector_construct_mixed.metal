// section: 2.2 Vector Data Types
// construct: float4(v.xy, s, 1)
// grid: 1
// in: a float2 1 2
// out: out float4 2 1 1 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device float4 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = float4(a[i].yx, a[i].x, 1);
}
