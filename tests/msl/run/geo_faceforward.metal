// section: 6.8 Geometric Functions
// construct: faceforward
// grid: 2
// in: a float3 0 0 1 0 0 1
// in: b float3 0 0 -1 0 0 1
// out: out float3 0 0 1 0 0 -1
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device const float3 *b [[buffer(1)]],
                 device float3 *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = faceforward(a[i], b[i], a[i]);
}
