// section: 6.8 Geometric Functions
// construct: dot of float3
// grid: 2
// in: a float3 1 2 3 0 1 0
// in: b float3 4 5 6 1 2 3
// out: out float 32 2
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float3 *a [[buffer(0)]],
                 device const float3 *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = dot(a[i], b[i]);
}
