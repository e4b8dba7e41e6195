// section: 6.8 Geometric Functions
// construct: distance
// grid: 1
// in: a float2 1 1
// in: b float2 4 5
// out: out float within 1e-06: 5
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device const float2 *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = distance(a[i], b[i]);
}
