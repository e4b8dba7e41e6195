// section: 6.8 Geometric Functions
// construct: dot of float2
// grid: 1
// in: a float2 1 2
// in: b float2 3 4
// out: out float 11
#include <metal_stdlib>
using namespace metal;

kernel void test(device const float2 *a [[buffer(0)]],
                 device const float2 *b [[buffer(1)]],
                 device float *out [[buffer(2)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = dot(a[i], b[i]);
}
