// section: 6.8 Geometric Functions
// construct: dot of float4
// grid: 1
// in: a float4 1 2 3 4
// in: b float4 1 1 1 1
// out: out float 10
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float4 *a [[buffer(0)]],
                 device const float4 *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = dot(a[i], b[i]);
}
