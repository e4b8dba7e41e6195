// section: 2.2 Vector Data Types
// construct: vector and scalar arithmetic
// grid: 1
// in: a float3 1 2 3
// out: out float3 3.5 5.5 7.5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = (a[i] + 1) * 2.0f - 0.5f;
}
