// section: 1.5.1 Overloading
// construct: clamp(float3, 0, 1)
// grid: 1
// in: a float3 -1 0.5 7
// out: out float3 0 0.5 1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = clamp(a[i], 0, 1);
}
