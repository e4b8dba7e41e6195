// section: 6.8 Geometric Functions
// construct: reflect
// grid: 1
// in: a float3 1 -1 0
// out: out float3 1 1 0
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device float3 *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = reflect(a[i], float3(0, 1, 0));
}
