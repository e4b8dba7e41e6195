// section: 6.8 Geometric Functions
// construct: length of packed_float3
// grid: 2
// in: a packed_float3 2 3 6 1 2 2
// out: out float within 1e-06: 7 3
#include <metal_stdlib>
using namespace metal;

kernel void test(device const packed_float3 *a [[buffer(0)]],
                 device float *out [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  out[i] = length(float3(a[i]));
}
